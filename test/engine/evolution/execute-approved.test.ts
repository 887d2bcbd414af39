import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { inTransaction } from "../../../src/engine/db.ts";
import { approveProposal } from "../../../src/engine/evolution/approve-proposal.ts";
import type { Change } from "../../../src/engine/evolution/change-kinds.ts";
import { executeApproved } from "../../../src/engine/evolution/execute-approved.ts";
import { findProposal } from "../../../src/engine/evolution/find-proposal.ts";
import { addProposal } from "../../../src/engine/evolution/keep-proposals.ts";
import { revertProposal } from "../../../src/engine/evolution/revert-proposal.ts";
import { hashState } from "../../../src/engine/evolution/snapshot.ts";
import type { Scope } from "../../../src/engine/scope.ts";
import { HermesHomeFiles, type WriteStep } from "../../../src/hermes-bridge/hermes-files.ts";
import { member, owner } from "../../helpers/given.ts";
import { type NightWorld, nightWorld } from "../../helpers/night-world.ts";
import { proposalDraft } from "../../helpers/proposal-draft.ts";

let world: NightWorld;
beforeEach(async () => {
  world = await nightWorld();
  mkdirSync(join(world.home, "memories"), { recursive: true });
});
afterEach(() => world.release());

const skill = (body: string): Change => ({
  type: "skill_create",
  payload: {
    action: "create",
    name: "release-check",
    description: "Check a release before it goes out.",
    body,
    files: [{ path: "scripts/x.py", text: "print('ok')\n", executable: true }],
  },
});
const memory: Change = {
  type: "memory_update",
  payload: { action: "add", file: "user", text: "周报用表格，按项目分行。" },
};
const preference: Change = {
  type: "tool_preference",
  payload: { action: "add", text: "Search first instead of reading file after file." },
};

async function approved(change: Change, scope: Scope = world.scope): Promise<string> {
  const { number } = await inTransaction(scope.db, (tx) =>
    addProposal(tx, scope, proposalDraft.day, proposalDraft.of(change)),
  );
  const { id, revision } = await findProposal(scope, { number });
  await approveProposal(scope, owner, { id, seenRevision: revision });
  return id;
}
const statusOf = async (id: string) => (await findProposal(world.scope, { id })).status;
const inHome = (...path: string[]): string => join(world.home, ...path);

describe("what was approved", () => {
  test("is written once, whoever else looks at the same time", async () => {
    const id = await approved(memory);
    const done = await Promise.all([
      executeApproved(world.scope),
      executeApproved(world.scope),
      executeApproved(world.scope),
    ]);
    expect(done.reduce((sum, { executed }) => sum + executed, 0)).toBe(1);
    expect(readFileSync(inHome("memories", "USER.md"), "utf8")).toBe("周报用表格，按项目分行。");
    expect(await statusOf(id)).toBe("executed");
  });

  test("obeys the memory's own form and limit, and leaves every other entry to the letter", async () => {
    writeFileSync(inHome("memories", "USER.md"), "住在上海。\n§\nPrefers short answers.");
    const id = await approved(memory);
    await executeApproved(world.scope);
    expect(readFileSync(inHome("memories", "USER.md"), "utf8")).toBe(
      "住在上海。\n§\nPrefers short answers.\n§\n周报用表格，按项目分行。",
    );
    await revertProposal(world.scope, owner, { id });
    await executeApproved(world.scope);
    expect(readFileSync(inHome("memories", "USER.md"), "utf8")).toBe("住在上海。\n§\nPrefers short answers.");
    writeFileSync(inHome("memories", "USER.md"), "长".repeat(1_370));
    const full = await approved({
      ...memory,
      payload: { action: "add", file: "user", text: "这一条在长度上限里放不下了。" },
    } as Change);
    await executeApproved(world.scope);
    expect(await findProposal(world.scope, { id: full })).toMatchObject({ status: "failed", because: "no_room" });
    expect(readFileSync(inHome("memories", "USER.md"), "utf8")).toBe("长".repeat(1_370));
  });

  test("a skill that Herald did not make is never written over", async () => {
    mkdirSync(inHome("skills", "herald", "release-check"), { recursive: true });
    writeFileSync(
      inHome("skills", "herald", "release-check", "SKILL.md"),
      "---\nname: release-check\ndescription: mine\n---\nMine.\n",
    );
    const id = await approved(skill("Look at the tests first."));
    await executeApproved(world.scope);
    expect(await findProposal(world.scope, { id })).toMatchObject({ status: "failed", because: "not_ours" });
    expect(readFileSync(inHome("skills", "herald", "release-check", "SKILL.md"), "utf8")).toContain("Mine.");
  });

  test("a package comes back byte for byte, with modes and links", async () => {
    const first = await approved(skill("Look at the tests first."));
    await executeApproved(world.scope);
    expect(await statusOf(first)).toBe("executed");
    const folder = inHome("skills", "herald", "release-check");
    symlinkSync("x.py", join(folder, "scripts", "latest"));
    chmodSync(join(folder, "SKILL.md"), 0o640);
    const before = hashState(await world.scope.files.read({ kind: "skill", name: "release-check" }));
    const second = await approved(skill("Look at the change log first."));
    await executeApproved(world.scope);
    expect(readFileSync(join(folder, "SKILL.md"), "utf8")).toContain("change log");
    expect(existsSync(join(folder, "scripts", "latest"))).toBe(false);
    await revertProposal(world.scope, owner, { id: second });
    await executeApproved(world.scope);
    expect(hashState(await world.scope.files.read({ kind: "skill", name: "release-check" }))).toBe(before);
    expect(readlinkSync(join(folder, "scripts", "latest"))).toBe("x.py");
    expect(statSync(join(folder, "scripts", "x.py")).mode & 0o777).toBe(0o755);
    expect(statSync(join(folder, "SKILL.md")).mode & 0o777).toBe(0o640);
    expect(readdirSync(world.home).filter((name) => name.startsWith(".herald"))).toEqual([]);
  });

  test("a folder of ours that a person changed since is left alone when it is to go, and said so", async () => {
    const id = await approved(skill("Look at the tests first."));
    await executeApproved(world.scope);
    writeFileSync(inHome("skills", "herald", "release-check", "SKILL.md"), "changed by hand");
    await revertProposal(world.scope, owner, { id });
    await executeApproved(world.scope);
    expect(await findProposal(world.scope, { id })).toMatchObject({
      status: "executed",
      because: "kept:changed_since",
    });
    expect(readFileSync(inHome("skills", "herald", "release-check", "SKILL.md"), "utf8")).toBe("changed by hand");
  });

  test("a skills folder that leads elsewhere is refused", async () => {
    mkdirSync(inHome("elsewhere"));
    mkdirSync(inHome("skills"));
    symlinkSync(inHome("elsewhere"), inHome("skills", "herald"));
    const id = await approved(skill("Look at the tests first."));
    for (let n = 0; n < 6; n++) {
      await executeApproved(world.scope);
      world.scope.clock.set(new Date(world.scope.clock.now().getTime() + 10 * 60_000));
    }
    expect(await statusOf(id)).toBe("failed");
    expect(readdirSync(inHome("elsewhere"))).toEqual([]);
  });
});

describe("a process that dies", () => {
  const steps: WriteStep[] = ["checked", "made", "moved_away", "in_place", "tidied"];
  class Killed extends Error {}
  /** Ends at the step and does nothing any more, as a killed process. */
  const dying = (step: WriteStep): Scope => {
    const files = new HermesHomeFiles(world.home, (at) => {
      if (at === step) throw new Killed();
    });
    return { ...world.scope, files };
  };

  test.each(steps.flatMap((step) => [[step, "new"] as const, [step, "over"] as const]))(
    "at %s of a %s folder leaves the old or the new, and the next claimer finishes",
    async (step, kind) => {
      if (kind === "over") {
        await approved(skill("First."));
        await executeApproved(world.scope);
      }
      const id = await approved(skill("Second."));
      await executeApproved(dying(step)).catch(() => undefined);
      const folder = inHome("skills", "herald", "release-check", "SKILL.md");
      if (existsSync(folder)) expect(readFileSync(folder, "utf8")).toMatch(/First\.|Second\./);
      world.scope.clock.set(new Date(world.scope.clock.now().getTime() + 5 * 60_000));
      await executeApproved(world.scope);
      expect(await statusOf(id)).toBe("executed");
      expect(readFileSync(folder, "utf8")).toContain("Second.");
      expect(readdirSync(world.home).filter((name) => name.startsWith(".herald"))).toEqual([]);
      await revertProposal(world.scope, owner, { id });
      await executeApproved(dying(step)).catch(() => undefined);
      world.scope.clock.set(new Date(world.scope.clock.now().getTime() + 5 * 60_000));
      await executeApproved(world.scope);
      expect(await statusOf(id)).toBe("reverted");
      if (kind === "over") expect(readFileSync(folder, "utf8")).toContain("First.");
      else expect(existsSync(folder)).toBe(false);
    },
  );

  test("after the writing and before the books are closed has written once", async () => {
    const id = await approved(preference);
    const { db } = world.scope;
    await executeApproved(world.scope);
    await db.evolutionProposal.update({ where: { id }, data: { status: "approved", executedAt: null } });
    await executeApproved(world.scope);
    expect(await statusOf(id)).toBe("executed");
    expect(readFileSync(inHome("PERFORMANCE.md"), "utf8").match(/Search first/g)).toHaveLength(1);
  });

  test("after the snapshot, when somebody else then changed the file, writes over nothing and says so", async () => {
    const id = await approved(preference);
    await executeApproved(dying("checked")).catch(() => undefined);
    writeFileSync(inHome("PERFORMANCE.md"), "by hand\n");
    world.scope.clock.set(new Date(world.scope.clock.now().getTime() + 5 * 60_000));
    await executeApproved(world.scope);
    expect(await findProposal(world.scope, { id })).toMatchObject({ status: "failed", because: "changed_since" });
    expect(readFileSync(inHome("PERFORMANCE.md"), "utf8")).toBe("by hand\n");
  });
});

describe("who may", () => {
  test("a member may not approve, and what was changed since it was seen is not approved", async () => {
    const { scope } = world;
    const { number } = await inTransaction(scope.db, (tx) =>
      addProposal(tx, scope, proposalDraft.day, proposalDraft.of(memory)),
    );
    const { id, revision } = await findProposal(scope, { number });
    await expect(approveProposal(scope, member, { id, seenRevision: revision })).rejects.toMatchObject({
      code: "forbidden",
    });
    await expect(approveProposal(scope, owner, { id, seenRevision: revision + 1 })).rejects.toMatchObject({
      code: "changed_since_seen",
    });
    const both = await Promise.all([1, 2, 3].map(() => approveProposal(scope, owner, { id, seenRevision: revision })));
    expect(both.map(({ outcome }) => outcome).sort()).toEqual(["already", "already", "approved"]);
  });
});
