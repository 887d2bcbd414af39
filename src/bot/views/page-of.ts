/** The page a post shows, from 1. */
export function pageOf(view: Readonly<Record<string, unknown>> | null): number {
  const page = view?.page;
  return typeof page === "number" && Number.isInteger(page) && page >= 1 ? page : 1;
}
