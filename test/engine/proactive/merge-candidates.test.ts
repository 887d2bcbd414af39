import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mergeCandidates, type Proposal } from "../../../src/engine/proactive/merge-candidates.ts";
import { quote } from "../../helpers/given.ts";

const proposal = (over: Partial<Proposal> = {}): Proposal => ({
  kind: "opportunity",
  matterKind: "promise",
  goalId: null,
  title: "周四前把报价单发给客户A",
  whyNow: "周四到期",
  draft: "",
  dueAt: null,
  evidence: [quote()],
  ...over,
});

describe("merging what two workers propose", () => {
  it("the same item named by both becomes one, with the first one's reason and the other's draft", () => {
    const merged = mergeCandidates([
      proposal({ goalId: "g1" }),
      proposal({ kind: "prepared", goalId: "g1", title: "报价单", whyNow: "明天到期", draft: "报价单发了吗？" }),
    ]);
    expect(merged).toMatchObject([{ index: 1, kind: "opportunity", whyNow: "周四到期", draft: "报价单发了吗？" }]);
  });

  it("the same matter in other words out of the same line is one", () => {
    expect(mergeCandidates([proposal(), proposal({ title: "给客户A发报价单" })])).toHaveLength(1);
  });

  it("two matters of one line stay two", () => {
    const merged = mergeCandidates([proposal(), proposal({ title: "下周一交部门周报" })]);
    expect(merged.map((candidate) => candidate.index)).toEqual([1, 2]);
  });

  it("two items stay two, however alike: the person may close one of them", () => {
    expect(mergeCandidates([proposal({ goalId: "g1" }), proposal({ goalId: "g2" })])).toHaveLength(2);
  });

  it("the quotation for customer A is not the one for customer B", () => {
    const other = { evidence: [quote("客户B的报价单也要发", "102")] };
    expect(mergeCandidates([proposal(), proposal({ title: "把报价单发给客户B", ...other })])).toHaveLength(2);
  });

  it("numbers run from 1 without gaps, no item has two candidates, and no item is lost", () => {
    const proposals = fc.array(
      fc.record({
        goalId: fc.option(fc.constantFrom("g1", "g2", "g3"), { nil: null }),
        title: fc.constantFrom("把报价单发给客户A", "给客户A发报价单", "交部门周报", "订下周去上海的机票", "续护照"),
        kind: fc.constantFrom("opportunity" as const, "prepared" as const),
      }),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(proposals, (list) => {
        const merged = mergeCandidates(list.map((over) => proposal(over)));
        expect(merged.map((candidate) => candidate.index)).toEqual(merged.map((_, i) => i + 1));
        const goals = merged.map((candidate) => candidate.goalId).filter((id) => id !== null);
        expect(new Set(goals).size).toBe(goals.length);
        expect(new Set(goals)).toEqual(new Set(list.map((p) => p.goalId).filter((id) => id !== null)));
        expect(merged.length === 0).toBe(list.length === 0);
      }),
    );
  });
});
