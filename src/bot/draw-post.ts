import { agentMessageCard } from "../cards/agent-message-card.ts";
import { auditCard } from "../cards/audit-card.ts";
import type { Card } from "../cards/card.ts";
import { chatCard } from "../cards/chat-card.ts";
import { commandApprovalCard } from "../cards/command-approval-card.ts";
import { cutText } from "../cards/cut-text.ts";
import { documentCard } from "../cards/document-card.ts";
import { escapeMessageText } from "../cards/escape.ts";
import { goalCard } from "../cards/goal-card.ts";
import { goalListCard } from "../cards/goal-list-card.ts";
import { helpCard } from "../cards/help-card.ts";
import { itemListCard } from "../cards/item-list-card.ts";
import type { Look } from "../cards/look.ts";
import { isOpen } from "../cards/matter.ts";
import { membersCard } from "../cards/members-card.ts";
import { noticeCard } from "../cards/notice-card.ts";
import { prefsCard } from "../cards/prefs-card.ts";
import { proposalCard } from "../cards/proposal-card.ts";
import { proposalListCard } from "../cards/proposal-list-card.ts";
import { questionCard } from "../cards/question-card.ts";
import { reminderCard } from "../cards/reminder-card.ts";
import { reportCard } from "../cards/report-card.ts";
import { runCard } from "../cards/run-card.ts";
import { runListCard } from "../cards/run-list-card.ts";
import { settingsCard } from "../cards/settings-card.ts";
import { statusCard } from "../cards/status-card.ts";
import { strategiesCard } from "../cards/strategies-card.ts";
import { cardAsText } from "../cards/text-fallback.ts";
import { watchedGoalCard } from "../cards/watched-goal-card.ts";
import { weekCard } from "../cards/week-card.ts";
import { whyCard } from "../cards/why-card.ts";
import { isTooOld } from "../engine/card-post.ts";
import type { CardPost } from "../engine/card-posts.ts";
import { readPerson } from "../engine/people/know-person.ts";
import type { Person } from "../engine/people/person.ts";
import type { Scope } from "../engine/scope.ts";
import { readSettings } from "../engine/settings.ts";
import { type FileToSend, fileOf } from "./outgoing-file.ts";
import type { ServerFacts } from "./server-facts.ts";
import { agentMessageView } from "./views/agent-message-view.ts";
import { auditView } from "./views/audit-view.ts";
import { deliveryView } from "./views/delivery-view.ts";
import { goalListView, goalView } from "./views/goal-view.ts";
import { helpView } from "./views/help-view.ts";
import { itemListView } from "./views/item-list-view.ts";
import { membersView } from "./views/members-view.ts";
import { lineText, noticeView } from "./views/notice-view.ts";
import { pageOf } from "./views/page-of.ts";
import { prefsView } from "./views/prefs-view.ts";
import { proposalListView, proposalView, strategiesView } from "./views/proposal-view.ts";
import { questionView } from "./views/question-view.ts";
import { reportView, weekView } from "./views/report-view.ts";
import { documentView, runListView, runView } from "./views/run-view.ts";
import { settingsView } from "./views/settings-view.ts";
import { statusView } from "./views/status-view.ts";
import { turnView } from "./views/turn-view.ts";
import type { ViewContext } from "./views/view-context.ts";
import { viewerActor, viewerOf } from "./views/viewer.ts";
import { watchedGoalView } from "./views/watched-goal-view.ts";
import { whyView } from "./views/why-view.ts";

/** Feishu: a text message may hold 150 KB. Nobody reads that much in a chat, and what is cut says so. */
export const LINE_CHARS = 8_000;

export interface Drawn {
  /** undefined for a plain line of text, and for a file */
  card: Card | undefined;
  /** the message is this file; its text is what is said when it cannot be sent */
  file?: FileToSend;
  /** the text of the card is going to move: it goes out as a card entity where the platform takes one */
  moves?: boolean;
  /**
   * What goes out when the platform refuses the card, with what its numbers mean; and the whole of a line. Made when it is
   * asked for: most cards are taken.
   */
  asText(): { text: string; choices: readonly unknown[] };
  /** the `wanted` this picture answers */
  shown: number;
  /** something on it still waits for a decision */
  stillOpen: boolean;
}

/**
 * The present picture of what a post is about, with times on its reader's wall; undefined when its subject is gone. A
 * switch over all kinds: a new one does not compile without its drawing. `scope.db` may be a transaction.
 * @param known somebody whose row was read a moment ago: not asked for again when they are the reader
 */
export async function drawPost(
  scope: Scope,
  post: CardPost,
  server: ServerFacts,
  known?: Person,
): Promise<Drawn | undefined> {
  if (post.subjectKind === "line") {
    // Titles and other people's words stand in lines too: nothing of them is a mention or a link.
    const text = escapeMessageText(cutText(lineText(post.view), LINE_CHARS));
    return { card: undefined, asText: () => ({ text, choices: [] }), shown: post.wanted, stillOpen: false };
  }
  if (post.subjectKind === "file") {
    const file = fileOf(post.view);
    return (
      file && { card: undefined, file, asText: () => ({ text: "", choices: [] }), shown: post.wanted, stillOpen: false }
    );
  }
  const settings = await readSettings(scope);
  const readerOpenId = readerOf(post);
  const reader = await readerKnown(scope, readerOpenId, known);
  const zone = reader?.zone ?? settings.zone;
  const look: Look = { language: post.language, zone, now: scope.clock.now(), post: post.id };
  const context: ViewContext = { scope, look, readerOpenId, reader, server };
  const picture = await pictureOf(context, post);
  if (picture === undefined) return undefined;
  const { card } = picture;
  return {
    card,
    asText: () => cardAsText(card, look),
    shown: post.wanted,
    stillOpen: picture.stillOpen ?? false,
    moves: picture.moves ?? false,
  };
}

async function pictureOf(
  context: ViewContext,
  post: CardPost,
): Promise<{ card: Card; stillOpen?: boolean; moves?: boolean } | undefined> {
  const { look } = context;
  switch (post.subjectKind) {
    case "delivery": {
      const view = await deliveryView(context, post.subjectId, isTooOld(post, look.now));
      if (view === undefined) return undefined;
      return { card: reminderCard(view, look), stillOpen: view.matters.some((matter) => isOpen(matter.state)) };
    }
    case "item-list": {
      const view = await itemListView(context, post);
      return view && { card: itemListCard(view, look) };
    }
    case "run": {
      const view = await runView(context, post.subjectId);
      return view && { card: runCard(view, look) };
    }
    case "run-list":
      return { card: runListCard(await runListView(context, pageOf(post.view)), look) };
    case "document": {
      const [runId = "", name = ""] = post.subjectId.split("/");
      const view = await documentView(context, { runId, name, page: pageOf(post.view) });
      return view && { card: documentCard(view, look) };
    }
    case "why": {
      const view = await whyView(context, post);
      return view && { card: whyCard(view, look) };
    }
    case "status":
      return { card: statusCard(await statusView(context), look) };
    case "prefs":
      return { card: prefsCard(await prefsView(context, post), look) };
    case "settings":
      return { card: settingsCard(await settingsView(context, post), look) };
    case "members": {
      const view = await membersView(context, post);
      return view && { card: membersCard(view, look) };
    }
    case "audit": {
      const view = await auditView(context, post);
      return view && { card: auditCard(view, look) };
    }
    case "goal": {
      const view = await goalView(context, post);
      return view && { card: goalCard(view, look), stillOpen: view.state !== "done" && view.state !== "cleared" };
    }
    case "watched-goal": {
      const view = await watchedGoalView(context, post);
      return view && { card: watchedGoalCard(view, look) };
    }
    case "goal-list": {
      const view = await goalListView(context, post);
      return view && { card: goalListCard(view, look) };
    }
    case "notice": {
      const view = noticeView(post.view);
      return view && { card: noticeCard(view, look) };
    }
    case "report": {
      if (post.subjectId.startsWith("week-"))
        return { card: weekCard(await weekView(context, post.subjectId.slice(5)), look) };
      const view = await reportView(context, post.subjectId);
      return view && { card: reportCard(view, look), stillOpen: view.proposals.some(isUndecided) };
    }
    case "proposal": {
      const view = await proposalView(context, post.subjectId);
      return view && { card: proposalCard(view, look), stillOpen: isUndecided(view) };
    }
    case "proposal-list":
      return { card: proposalListCard(await proposalListView(context), look) };
    case "strategies":
      return { card: strategiesCard(await strategiesView(context), look) };
    case "help": {
      const viewer = await viewerActor(context.scope, post.view);
      return viewer && { card: helpCard(helpView(viewer.actor), look) };
    }
    case "agent-message": {
      const view = await agentMessageView(context.scope, post.subjectId, post.view);
      return view && { card: agentMessageCard(view, look) };
    }
    case "turn": {
      const view = await turnView(context, post);
      const moves = view?.page === 1 && (view.state === "waiting" || view.state === "running");
      return view && { card: chatCard(view, look), moves };
    }
    case "question": {
      const asked = await questionView(context, post.subjectId);
      if (asked === undefined) return undefined;
      const card = asked.kind === "approval" ? commandApprovalCard(asked.view, look) : questionCard(asked.view, look);
      return { card, stillOpen: asked.view.state === "open" };
    }
    case "file":
    case "line":
      return undefined;
  }
}

async function readerKnown(scope: Scope, openId: string | undefined, known?: Person): Promise<Person | undefined> {
  if (openId === undefined) return undefined;
  return openId === known?.openId ? known : readPerson(scope, openId);
}

function isUndecided({ status }: { status: string }): boolean {
  return status === "pending_approval";
}

/** The one person who reads a post; undefined when it stands in a group. */
function readerOf(post: CardPost): string | undefined {
  if (post.receiveIdType === "open_id") return post.receiveId;
  return post.language === "both" || post.view?.chatType === "group" ? undefined : viewerOf(post.view);
}
