import type { SubjectRef } from "../engine/card-posts.ts";

/** What a card is about, and how it is looked at (page, filter, viewer). */
export interface CardSubject {
  subject: SubjectRef;
  view?: Readonly<Record<string, unknown>>;
}
