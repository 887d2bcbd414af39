import type { FaultApi, FaultRequest } from "./page-api.ts";

type CallFault = Extract<FaultRequest, { api: FaultApi }>;
type EventFault = Extract<FaultRequest, { kind: "repeat_events" | "delay_events" }>;

/** Things ordered to go wrong. Counted faults are used up by the calls and events they hit; switches stay until cleared. */
export class Faults {
  refuseCards = false;
  ignorePings = false;
  refuseConnections = false;
  #calls: { fault: CallFault; left: number }[] = [];
  #events: { fault: EventFault; left: number }[] = [];

  /** @returns false for the kinds that are deeds of the moment (sockets, tokens) and are carried out elsewhere */
  order(fault: FaultRequest): boolean {
    switch (fault.kind) {
      case "answer":
      case "drop_before":
      case "drop_after":
      case "delay":
        this.#calls.push({ fault, left: fault.times ?? 1 });
        return true;
      case "repeat_events":
      case "delay_events":
        this.#events.push({ fault, left: fault.times ?? 1 });
        return true;
      case "refuse_cards":
        this.refuseCards = fault.on;
        return true;
      case "ignore_pings":
        this.ignorePings = fault.on;
        return true;
      case "refuse_connections":
        this.refuseConnections = fault.on;
        return true;
      case "clear":
        this.refuseCards = false;
        this.ignorePings = false;
        this.refuseConnections = false;
        this.#calls = [];
        this.#events = [];
        return true;
      case "kill_sockets":
      case "expire_tokens":
        return false;
    }
  }

  /** The first fault ordered for this call, used up by asking. */
  takeForCall(api: FaultApi): CallFault | undefined {
    return take(this.#calls, (fault) => fault.api === api || fault.api === "any");
  }

  takeForEvent(kind: EventFault["kind"]): EventFault | undefined {
    return take(this.#events, (fault) => fault.kind === kind);
  }

  /** What is still in force, as it was ordered, with the number of times left. */
  active(): FaultRequest[] {
    const switches: FaultRequest[] = [];
    if (this.refuseCards) switches.push({ kind: "refuse_cards", on: true });
    if (this.ignorePings) switches.push({ kind: "ignore_pings", on: true });
    if (this.refuseConnections) switches.push({ kind: "refuse_connections", on: true });
    const counted = [...this.#calls, ...this.#events].map(({ fault, left }) => ({ ...fault, times: left }));
    return [...switches, ...counted];
  }
}

function take<F>(queue: { fault: F; left: number }[], fits: (fault: F) => boolean): F | undefined {
  const index = queue.findIndex((entry) => fits(entry.fault));
  const entry = queue[index];
  if (!entry) return undefined;
  entry.left -= 1;
  if (entry.left <= 0) queue.splice(index, 1);
  return entry.fault;
}
