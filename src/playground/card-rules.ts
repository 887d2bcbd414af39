/** One breach of the card rules: `code` is the platform's sub code (the `N` of `ext=ErrCode: N`), `path` leads to the place. */
export type CardProblem = { code: number; path: string; message: string };

/** A check of one value; it reports every breach it finds. */
export type CardRule = (value: unknown, path: string, report: (problem: CardProblem) => void) => void;

/** The platform's answer to anything it cannot parse, unknown property names included. */
export const UNPARSEABLE = 200621;

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function fail(path: string, message: string, code = UNPARSEABLE): CardProblem {
  return { code, path, message };
}

export const anything: CardRule = () => {};

export const string: CardRule = (value, path, report) => {
  if (typeof value !== "string") report(fail(path, "must be a string"));
};

export const boolean: CardRule = (value, path, report) => {
  if (typeof value !== "boolean") report(fail(path, "must be true or false"));
};

export const number: CardRule = (value, path, report) => {
  if (typeof value !== "number" || !Number.isFinite(value)) report(fail(path, "must be a number"));
};

export const record: CardRule = (value, path, report) => {
  if (!isRecord(value)) report(fail(path, "must be an object"));
};

/** A string of at most `max` characters (code points). */
export function shortString(max: number): CardRule {
  return (value, path, report) => {
    if (typeof value !== "string") report(fail(path, "must be a string"));
    else if ([...value].length > max) report(fail(path, `must have at most ${max} characters`));
  };
}

export function integerBetween(min: number, max: number): CardRule {
  return (value, path, report) => {
    if (typeof value !== "number" || !Number.isInteger(value) || value < min || value > max)
      report(fail(path, `must be a whole number from ${min} to ${max}`));
  };
}

export function oneOf(...allowed: readonly (string | number | boolean)[]): CardRule {
  return (value, path, report) => {
    if (!allowed.some((each) => each === value)) report(fail(path, `must be one of ${allowed.join(", ")}`));
  };
}

export function matching(pattern: RegExp, what: string): CardRule {
  return (value, path, report) => {
    if (typeof value !== "string" || !pattern.test(value)) report(fail(path, `must be ${what}`));
  };
}

export function listOf(rule: CardRule, limits: { min?: number; max?: number } = {}): CardRule {
  return (value, path, report) => {
    if (!Array.isArray(value)) return report(fail(path, "must be an array"));
    if (value.length < (limits.min ?? 0)) report(fail(path, `must have at least ${limits.min} entries`));
    if (limits.max !== undefined && value.length > limits.max)
      report(fail(path, `must have at most ${limits.max} entries`));
    for (const [index, each] of value.entries()) rule(each, `${path}[${index}]`, report);
  };
}

/** An object whose keys are free and whose values follow one rule. */
export function mapOf(rule: CardRule, keys?: CardRule): CardRule {
  return (value, path, report) => {
    if (!isRecord(value)) return report(fail(path, "must be an object"));
    for (const [key, each] of Object.entries(value)) {
      keys?.(key, `${path}.${key}`, report);
      rule(each, `${path}.${key}`, report);
    }
  };
}

/** An object with exactly these property names; anything else is refused, as the platform does. */
export function shape(properties: Record<string, CardRule>, required: readonly string[] = []): CardRule {
  return (value, path, report) => {
    if (!isRecord(value)) return report(fail(path, "must be an object"));
    for (const name of required) {
      if (value[name] === undefined) report(fail(`${path}.${name}`, "is required"));
    }
    for (const [name, each] of Object.entries(value)) {
      const rule = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (rule === undefined) report(fail(`${path}.${name}`, `unknown property "${name}"`));
      else rule(each, `${path}.${name}`, report);
    }
  };
}

/** Picks the rule by the object's `tag`; `no` names tags that exist but are refused here, with the reason. */
export function byTag(
  rules: Record<string, CardRule>,
  no: Record<string, { code: number; message: string }>,
): CardRule {
  return (value, path, report) => {
    if (!isRecord(value)) return report(fail(path, "must be an object with a tag"));
    const tag = value.tag;
    if (typeof tag !== "string") return report(fail(`${path}.tag`, "is required"));
    const refused = Object.hasOwn(no, tag) ? no[tag] : undefined;
    if (refused) return report({ ...refused, path: `${path}(tag: ${tag})` });
    const rule = Object.hasOwn(rules, tag) ? rules[tag] : undefined;
    if (!rule) return report(fail(`${path}(tag: ${tag})`, `unknown component "${tag}"`));
    rule(value, `${path}(tag: ${tag})`, report);
  };
}
