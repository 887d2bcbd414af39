/** One line of a target's verdict: what was measured in this run and what it is held to. */
export type Target = {
  /** for example "C1" or "U4": the same name as in docs/performance.md */
  readonly id: string;
  readonly what: string;
  readonly value: number;
  /** Exactly one of the two limits. */
  readonly atMost?: number;
  readonly atLeast?: number;
  /** "×" for a ratio within this run, else "ms", "MB", … */
  readonly unit: string;
};

/** One table of measurements; variants that are compared stand in one table and were measured in turns. */
export type Result = {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
  readonly targets?: readonly Target[];
};

export type BenchOptions = {
  /** Fewer rounds and smaller data: shows that the bench works, proves little. */
  readonly quick: boolean;
  /** Progress for whoever waits. */
  readonly say: (line: string) => void;
};

export type Bench = (options: BenchOptions) => Promise<Result[]>;

export function isMet({ value, atMost, atLeast }: Target): boolean {
  return (atMost === undefined || value <= atMost) && (atLeast === undefined || value >= atLeast);
}

/** The middle of some measurements. @throws RangeError for none */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** `q` from 0 to 1; nearest rank. @throws RangeError for no values */
export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))];
  if (value === undefined) throw new RangeError("quantile of no values");
  return value;
}

/** Three significant digits, as far as a measurement deserves them. */
export function figure(value: number): string {
  if (!Number.isFinite(value)) return "–";
  if (Math.abs(value) >= 1000) return Math.round(value).toLocaleString("en-US");
  return String(Number(value.toPrecision(3)));
}
