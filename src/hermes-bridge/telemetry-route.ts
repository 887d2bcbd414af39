import { z } from "zod";
import { recordTelemetry } from "../engine/evolution/record-telemetry.ts";
import { type TelemetryEvent, telemetryEventSchema } from "../engine/evolution/telemetry-event.ts";
import type { BridgeRoute } from "./tool-routes.ts";

const MOST_BYTES = 2 * 1024 * 1024;

const batchSchema = z.object({
  batch: z.string().regex(/^[\w-]{8,80}$/),
  dropped: z.number().int().min(0).catch(0),
  events: z.array(z.unknown()).max(500),
});

/** What the plugin's hooks tell, a batch at a time. An event of a newer plugin that is not understood is left out and counted. */
export const telemetryRoute: BridgeRoute = {
  method: "POST",
  path: "/bridge/telemetry",
  async handle(scope, request) {
    const body = await request.read(MOST_BYTES);
    if (body === undefined) return { status: 413, body: { error: "The batch is too long." } };
    const batch = parse(body);
    if (batch === undefined) return { status: 422, body: { error: "Expected {batch, events}." } };
    const events = batch.events
      .map((event) => telemetryEventSchema.safeParse(event).data)
      .filter((event): event is TelemetryEvent => event !== undefined);
    const { recorded } = await recordTelemetry(scope, { ...batch, events });
    const unknown = batch.events.length - events.length;
    if (unknown > 0) scope.log.info("bridge.telemetry_unknown", { unknown });
    return { status: 200, body: { recorded, unknown } };
  },
};

function parse(body: Buffer): z.infer<typeof batchSchema> | undefined {
  try {
    return batchSchema.safeParse(JSON.parse(body.toString("utf8"))).data;
  } catch {
    return undefined;
  }
}
