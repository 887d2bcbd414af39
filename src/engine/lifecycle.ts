/**
 * A noun's life cycle as a value: status → event → next status. It is the documentation, the where-clause
 * (`statusesBefore`) and the test table. A status without a row does not compile.
 */
export type Lifecycle<Status extends string, Event extends string> = Readonly<
  Record<Status, Readonly<Partial<Record<Event, Status>>>>
>;

/** The statuses in which `event` may happen: the condition of the update that carries it out. */
export function statusesBefore<Status extends string, Event extends string>(
  table: Lifecycle<Status, Event>,
  event: Event,
): Status[] {
  return (Object.keys(table) as Status[]).filter((status) => table[status][event] !== undefined);
}
