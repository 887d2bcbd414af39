import { z } from "zod";

/** What a tap may carry besides the button's own value. Field names follow the platform's callback, in our spelling. */
export type TapInput = {
  /** Values of the form's controls by name, on a submit. */
  readonly formValue?: unknown;
  /** The choice made in a menu, a select or a picker. */
  readonly option?: unknown;
  /** Text of an input outside a form. */
  readonly inputValue?: unknown;
};

/** Ids and names travel through the platform and come back: nothing in them may need escaping. */
const opaqueId = z.string().regex(/^[\w:.-]{1,64}$/);
const item = { item: opaqueId, rev: z.int().min(0) };
const proposal = { proposal: opaqueId, rev: z.int().min(0) };
const page = z.int().min(1).max(10_000);

/** Why a proposal is refused, in one tap. */
export const REJECT_REASONS = ["not_useful", "wrong_cause", "too_risky", "we_do_it_otherwise", "not_now"] as const;

/** Nothing entered: the tap is the whole message. */
const nothing = { form: z.unknown().transform(() => undefined), read: (): unknown => undefined };

/**
 * The picker's answer, such as "2025-06-10 19:19 +0800", as an instant (Feishu: date-time picker component, callback
 * example; the offset is the one of the person's client).
 */
const pickedInstant = z.string().transform((text, context) => {
  const match = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2})(?::\d{2})? ?([+-]\d{2}):?(\d{2})$/.exec(text.trim());
  const at = match ? new Date(`${match[1]}T${match[2]}:00${match[3]}:${match[4]}`) : undefined;
  if (!at || Number.isNaN(at.getTime())) {
    context.addIssue({ code: "custom", message: "expected a date, a time and an offset" });
    return z.NEVER;
  }
  return at;
});

/**
 * The vocabulary of the cards: action name → what its button carries, and what the person adds to it.
 * Cards already sent outlive a release by 14 days: change a payload only by adding a new action.
 */
export const ACTIONS = {
  "item.done": { payload: z.strictObject(item), ...nothing },
  "item.drop": { payload: z.strictObject(item), ...nothing },
  "item.snooze": {
    payload: z.strictObject({ ...item, until: z.enum(["1h", "evening", "tomorrow", "next_week"]) }),
    ...nothing,
  },
  "item.snoozeAt": {
    payload: z.strictObject(item),
    form: z.object({ at: pickedInstant }),
    read: (input: TapInput): unknown => ({ at: input.option }),
  },
  "item.carryOn": { payload: z.strictObject(item), ...nothing },
  "item.fewer": { payload: z.strictObject(item), ...nothing },
  "item.undo": { payload: z.strictObject({ decision: opaqueId }), ...nothing },
  "items.page": { payload: z.strictObject({ list: z.enum(["open", "closed", "all"]), page }), ...nothing },
  "run.show": { payload: z.strictObject({ run: opaqueId }), ...nothing },
  "run.document": { payload: z.strictObject({ run: opaqueId, name: opaqueId, page: page.optional() }), ...nothing },
  "run.list": { payload: z.strictObject({ page }), ...nothing },
  "status.refresh": { payload: z.strictObject({}), ...nothing },
  "prefs.save": {
    payload: z.strictObject({}),
    form: z.object({ text: z.string().max(1_000).catch("") }),
    read: (input: TapInput): unknown => input.formValue,
  },
  "settings.group": { payload: z.strictObject({ group: opaqueId }), ...nothing },
  "settings.save": {
    payload: z.strictObject({ group: opaqueId }),
    form: z.record(z.string(), z.string().max(1_000).catch("")),
    read: (input: TapInput): unknown => input.formValue,
  },
  "people.grant": {
    payload: z.strictObject({ openId: opaqueId, role: z.enum(["member", "admin"]) }),
    ...nothing,
  },
  "people.revoke": { payload: z.strictObject({ openId: opaqueId }), ...nothing },
  "audit.list": { payload: z.strictObject({ page }), ...nothing },
  "goal.pause": { payload: z.strictObject({ goal: opaqueId }), ...nothing },
  "goal.resume": { payload: z.strictObject({ goal: opaqueId }), ...nothing },
  "goal.stop": { payload: z.strictObject({ goal: opaqueId }), ...nothing },
  "goal.clear": { payload: z.strictObject({ goal: opaqueId }), ...nothing },
  "goal.raise": { payload: z.strictObject({ goal: opaqueId, budget: z.int().min(1) }), ...nothing },
  "goal.criterion": {
    payload: z.strictObject({ goal: opaqueId }),
    form: z.object({ text: z.string().max(1_000).catch("") }),
    read: (input: TapInput): unknown => input.formValue,
  },
  "goal.details": { payload: z.strictObject({ goal: opaqueId, open: z.boolean() }), ...nothing },
  "goal.show": { payload: z.strictObject({ goal: opaqueId }), ...nothing },
  "proposal.approve": { payload: z.strictObject(proposal), ...nothing },
  "proposal.reject": { payload: z.strictObject(proposal), ...nothing },
  "proposal.why": {
    payload: z.strictObject({ proposal: opaqueId, reason: z.enum(REJECT_REASONS) }),
    ...nothing,
  },
  "proposal.whyWords": {
    payload: z.strictObject({ proposal: opaqueId }),
    form: z.object({ reason: z.string().max(300).catch("") }),
    read: (input: TapInput): unknown => input.formValue,
  },
  "proposal.later": { payload: z.strictObject({ proposal: opaqueId }), ...nothing },
  "proposal.show": { payload: z.strictObject({ proposal: opaqueId }), ...nothing },
  "proposal.revert": { payload: z.strictObject({ proposal: opaqueId }), ...nothing },
  "proposals.approveLow": {
    payload: z.strictObject({ seen: z.array(z.strictObject(proposal)).max(20) }),
    ...nothing,
  },
  "report.show": { payload: z.strictObject({ date: opaqueId }), ...nothing },
  "report.again": { payload: z.strictObject({ date: opaqueId }), ...nothing },
  "strategy.switch": { payload: z.strictObject({ strategy: opaqueId, on: z.boolean() }), ...nothing },
  "pending.adopt": { payload: z.strictObject({ pending: opaqueId }), ...nothing },
  "kind.resume": { payload: z.strictObject({ kind: opaqueId }), ...nothing },
  "tick.run": { payload: z.strictObject({}), ...nothing },
  "turn.stop": { payload: z.strictObject({ turn: opaqueId }), ...nothing },
  "turn.retry": { payload: z.strictObject({ turn: opaqueId }), ...nothing },
  "question.answer": { payload: z.strictObject({ question: opaqueId, choice: z.int().min(0).max(50) }), ...nothing },
  "question.say": {
    payload: z.strictObject({ question: opaqueId }),
    form: z.object({ text: z.string().trim().min(1).max(1_000) }),
    read: (input: TapInput): unknown => input.formValue,
  },
} as const satisfies Record<string, ActionSpec>;

type ActionSpec = {
  readonly payload: z.ZodType;
  readonly form: z.ZodType;
  readonly read: (input: TapInput) => unknown;
};

export type ActionName = keyof typeof ACTIONS;

/** What the button of an action carries. */
export type ActionPayload<N extends ActionName> = z.infer<(typeof ACTIONS)[N]["payload"]>;

/** What the person entered: a form's fields, a picked time, or undefined. */
export type ActionForm<N extends ActionName> = z.infer<(typeof ACTIONS)[N]["form"]>;

/** One action with its payload. The union over all names. */
export type Action = { [N in ActionName]: { readonly action: N; readonly payload: ActionPayload<N> } }[ActionName];

/** A tap that was understood. `post` is only a claim: check it against the message and chat of the tap. */
export type ParsedAction = {
  [N in ActionName]: {
    readonly action: N;
    readonly post: string;
    readonly payload: ActionPayload<N>;
    readonly form: ActionForm<N>;
  };
}[ActionName];

/** What stands in a control's callback value. `v` lets a later release still read the buttons of cards already sent. */
export type ActionEnvelope = { readonly v: 1; readonly post: string } & Action;

/** The same for a menu or select: the option says which of the actions is meant. */
export type ChoiceEnvelope = {
  readonly v: 1;
  readonly post: string;
  readonly choices: Readonly<Record<string, Action>>;
};

const named = z.object({ action: z.string(), payload: z.unknown() });
const envelope = z.object({ v: z.literal(1), post: opaqueId, action: z.string(), payload: z.unknown() });
const choiceEnvelope = z.object({ v: z.literal(1), post: opaqueId, choices: z.record(z.string(), named) });

/**
 * The only reader of a control's callback value. An unknown name, another version, a wrong payload or a choice that the
 * menu does not offer gives undefined: the card is out of date, or it is not ours. Never throws.
 */
export function parseAction(value: unknown, input: TapInput = {}): ParsedAction | undefined {
  const chosen = resolveChoice(value, input.option);
  if (!chosen || !isActionName(chosen.action)) return undefined;
  const spec: ActionSpec = ACTIONS[chosen.action];
  const payload = spec.payload.safeParse(chosen.payload);
  const form = spec.form.safeParse(spec.read(input));
  if (!payload.success || !form.success) return undefined;
  // The compiler cannot follow that payload and form came from the schemas of this very name.
  return { action: chosen.action, post: chosen.post, payload: payload.data, form: form.data } as ParsedAction;
}

function resolveChoice(
  value: unknown,
  option: unknown,
): { post: string; action: string; payload: unknown } | undefined {
  const menu = choiceEnvelope.safeParse(value);
  if (menu.success) {
    if (typeof option !== "string" || !Object.hasOwn(menu.data.choices, option)) return undefined;
    const choice = menu.data.choices[option];
    return choice && { post: menu.data.post, action: choice.action, payload: choice.payload };
  }
  const single = envelope.safeParse(value);
  return single.success ? single.data : undefined;
}

function isActionName(name: string): name is ActionName {
  return Object.hasOwn(ACTIONS, name);
}
