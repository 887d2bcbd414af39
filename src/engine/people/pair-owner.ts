import { createHash, timingSafeEqual } from "node:crypto";
import { recordAudit } from "../audit.ts";
import { inTransaction, type Tx } from "../db.ts";
import type { PersonActor, Scope } from "../scope.ts";
import { putPerson } from "./put-person.ts";

/** No letters or digits that look alike (I L O 0 1). */
const ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ";
const CODE_CHARS = 8;
const MOST_ATTEMPTS = 5;
const VALID_HOURS = 24;

export type PairOutcome =
  | { outcome: "paired"; actor: PersonActor }
  /** Not the code. After the fifth wrong one a new code is in the log. */
  | { outcome: "wrong_code"; attemptsLeft: number }
  /** The text does not look like a code: nothing was counted. */
  | { outcome: "no_code" }
  | { outcome: "has_owner" };

/**
 * Makes a fresh pairing code while the agent has no owner and writes it to the log, the one place where only the person
 * who runs the server looks. Called at start; earlier codes lose their meaning.
 * @returns false when there is an owner already
 */
export async function openPairing(scope: Scope): Promise<boolean> {
  const code = await inTransaction(scope.db, async (tx) =>
    (await hasOwner(tx, scope)) ? undefined : freshCode(tx, scope),
  );
  if (code === undefined) return false;
  announce(scope, code);
  return true;
}

/**
 * Somebody wrote to a bot that serves nobody yet. With the code from the log they become its owner; five wrong codes, or
 * a day, make a new one.
 */
export async function pairOwner(
  scope: Scope,
  from: { openId: string; name?: string; unionId?: string; directChatId?: string },
  text: string,
): Promise<PairOutcome> {
  const given = readCode(text);
  let renewed: string | undefined;
  const result = await inTransaction(scope.db, async (tx): Promise<PairOutcome> => {
    if (await hasOwner(tx, scope)) return { outcome: "has_owner" };
    if (given === undefined) return { outcome: "no_code" };
    const now = scope.clock.now();
    const agentId = scope.agent.id;
    // The attempt is counted before it is judged: guessing in parallel gains nothing.
    const { count } = await tx.pairingCode.updateMany({
      where: { agentId, attempts: { lt: MOST_ATTEMPTS }, expiresAt: { gt: now } },
      data: { attempts: { increment: 1 } },
    });
    const row = await tx.pairingCode.findUnique({ where: { agentId } });
    if (count === 1 && row && matches(row.codeHash, hash(scope, given))) {
      // Of two who send it together the one whose delete counts becomes the owner.
      const gone = await tx.pairingCode.deleteMany({ where: { agentId, codeHash: row.codeHash } });
      if (gone.count === 0) return { outcome: "has_owner" };
      const actor = await putPerson(tx, scope, { ...from, role: "owner" });
      await recordAudit(tx, scope, {
        who: actor,
        what: "people.pair",
        subject: { kind: "person", id: from.openId },
        after: { role: "owner" },
      });
      return { outcome: "paired", actor };
    }
    // Whoever was quicker has taken the code with them.
    if (count === 0 && (await hasOwner(tx, scope))) return { outcome: "has_owner" };
    const attemptsLeft = count === 1 && row ? MOST_ATTEMPTS - row.attempts : 0;
    if (attemptsLeft <= 0) renewed = await freshCode(tx, scope);
    return { outcome: "wrong_code", attemptsLeft: Math.max(attemptsLeft, 0) };
  });
  if (renewed !== undefined) announce(scope, renewed);
  return result;
}

/** HERALD_OWNER_OPEN_ID: this person is an owner, without a code. Repeating it changes nothing. */
export async function makeConfiguredOwner(scope: Scope, openId: string): Promise<void> {
  await inTransaction(scope.db, async (tx) => {
    const known = await tx.person.findUnique({ where: { agentId_openId: { agentId: scope.agent.id, openId } } });
    if (known?.role === "owner" && known.revokedAt === null) return;
    await putPerson(tx, scope, { openId, role: "owner" });
    await tx.pairingCode.deleteMany({ where: { agentId: scope.agent.id } });
    await recordAudit(tx, scope, {
      who: { kind: "job", name: "configuration" },
      what: "people.pair",
      subject: { kind: "person", id: openId },
      ...(known && { before: { role: known.role } }),
      after: { role: "owner" },
    });
  });
}

/** A text that may be meant as a code: the right number of the right characters, however spaced or cased. */
export function readCode(text: string): string | undefined {
  const code = text.replace(/[\s-]/g, "").toUpperCase();
  return code.length === CODE_CHARS && [...code].every((char) => ALPHABET.includes(char)) ? code : undefined;
}

/** True while nobody owns this agent: nobody is served. */
export async function hasOwner(db: Pick<Tx, "person">, scope: Scope): Promise<boolean> {
  const owner = await db.person.findFirst({
    where: { agentId: scope.agent.id, role: "owner", revokedAt: null },
    select: { id: true },
  });
  return owner !== null;
}

async function freshCode(tx: Tx, scope: Scope): Promise<string> {
  const code = drawCode(scope.ids.opaque());
  const now = scope.clock.now();
  const data = {
    codeHash: hash(scope, code),
    attempts: 0,
    createdAt: now,
    expiresAt: new Date(now.getTime() + VALID_HOURS * 3_600_000),
  };
  await tx.pairingCode.upsert({
    where: { agentId: scope.agent.id },
    update: data,
    create: { agentId: scope.agent.id, ...data },
  });
  return code;
}

/** Eight characters from 128 random bits. */
function drawCode(hex: string): string {
  let rest = BigInt(`0x${hex}`);
  let code = "";
  for (let place = 0; place < CODE_CHARS; place++) {
    code += ALPHABET[Number(rest % BigInt(ALPHABET.length))] ?? "";
    rest /= BigInt(ALPHABET.length);
  }
  return code;
}

function announce(scope: Scope, code: string): void {
  // A warning, because nothing works before somebody has read it, whatever the log leaves out.
  scope.log.warn("pairing.open", { pairWith: `${code.slice(0, 4)} ${code.slice(4)}`, validHours: VALID_HOURS });
}

function hash(scope: Scope, code: string): string {
  return createHash("sha256").update(`${scope.agent.id} ${code}`).digest("hex");
}

function matches(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
