import { agentMessageCard } from "../../src/cards/agent-message-card.ts";
import { auditCard } from "../../src/cards/audit-card.ts";
import type { Card } from "../../src/cards/card.ts";
import { documentCard } from "../../src/cards/document-card.ts";
import { goalCard } from "../../src/cards/goal-card.ts";
import { goalListCard } from "../../src/cards/goal-list-card.ts";
import { helpCard } from "../../src/cards/help-card.ts";
import { itemListCard } from "../../src/cards/item-list-card.ts";
import type { Look } from "../../src/cards/look.ts";
import { membersCard } from "../../src/cards/members-card.ts";
import { noticeCard } from "../../src/cards/notice-card.ts";
import { prefsCard } from "../../src/cards/prefs-card.ts";
import { proposalCard } from "../../src/cards/proposal-card.ts";
import { proposalListCard } from "../../src/cards/proposal-list-card.ts";
import { reminderCard } from "../../src/cards/reminder-card.ts";
import { reportCard } from "../../src/cards/report-card.ts";
import { runCard } from "../../src/cards/run-card.ts";
import { runListCard } from "../../src/cards/run-list-card.ts";
import { settingsCard } from "../../src/cards/settings-card.ts";
import { statusCard } from "../../src/cards/status-card.ts";
import { strategiesCard } from "../../src/cards/strategies-card.ts";
import { watchedGoalCard } from "../../src/cards/watched-goal-card.ts";
import { weekCard } from "../../src/cards/week-card.ts";
import { whyCard } from "../../src/cards/why-card.ts";
import { agentMessageViews } from "./agent-message-views.ts";
import * as evolution from "./evolution-views.ts";
import * as goals from "./goal-views.ts";
import * as other from "./other-views.ts";
import { reminderViews } from "./reminder-views.ts";

/** One state of one card. */
export type CardCase = { readonly name: string; readonly draw: (look: Look) => Card };

/** Every state of every card; each has a golden file in each language. */
export const cardCases: readonly CardCase[] = [
  ...casesOf("reminder", reminderViews, reminderCard),
  ...casesOf("item-list", other.itemListViews, itemListCard),
  ...casesOf("run", other.runViews, runCard),
  ...casesOf("run-list", other.runListViews, runListCard),
  ...casesOf("document", other.documentViews, documentCard),
  ...casesOf("why", other.whyViews, whyCard),
  ...casesOf("status", other.statusViews, statusCard),
  ...casesOf("prefs", other.prefsViews, prefsCard),
  ...casesOf("settings", other.settingsViews, settingsCard),
  ...casesOf("members", other.membersViews, membersCard),
  ...casesOf("audit", other.auditViews, auditCard),
  ...casesOf("goal", goals.goalViews, goalCard),
  ...casesOf("goal-list", goals.goalListViews, goalListCard),
  ...casesOf("watched-goal", goals.watchedGoalViews, watchedGoalCard),
  ...casesOf("notice", other.noticeViews, noticeCard),
  ...casesOf("report", evolution.reportViews, reportCard),
  ...casesOf("proposal", evolution.proposalViews, proposalCard),
  ...casesOf("proposal-list", evolution.proposalListViews, proposalListCard),
  ...casesOf("strategies", evolution.strategiesViews, strategiesCard),
  ...casesOf("week", evolution.weekViews, weekCard),
  ...casesOf("help", other.helpViews, helpCard),
  ...casesOf("agent-message", agentMessageViews, agentMessageCard),
];

function casesOf<View>(
  card: string,
  views: Readonly<Record<string, View>>,
  draw: (view: View, look: Look) => Card,
): CardCase[] {
  return Object.entries(views).map(([state, view]) => ({
    name: `${card}.${state}`,
    draw: (look) => draw(view, look),
  }));
}
