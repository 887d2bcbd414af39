import type { CardPost } from "../engine/card-posts.ts";
import type { Person } from "../engine/people/person.ts";
import type { PersonActor, Scope } from "../engine/scope.ts";
import type { Place } from "../engine/tracking/audience.ts";
import type { ToastType } from "./present-error.ts";
import type { Reader } from "./reader.ts";

/** A checked tap: the operator is known, the post is the one of this message in this chat, and not past its time. */
export interface Tap {
  /** its `db` is the tap's transaction: whatever a handler does stands or falls with the stored event */
  scope: Scope;
  who: PersonActor;
  person: Person;
  post: CardPost;
  place: Place;
  reader: Reader;
  /** the same over repeats of this event: what a handler derives keys from */
  eventKey: string;
}

/** What a handler answers. */
export interface Answer {
  toast: { type: ToastType; content: string };
  /** the tapped card is answered in its new state */
  redraw: boolean;
  /** the post itself was changed (another page or subject): it is read again before it is drawn */
  turned?: true;
  /** sweeps to wake once the answer has left */
  wakes?: readonly string[];
}
