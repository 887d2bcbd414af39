/**
 * Plays a failed property test's run again: PROPERTY_SEED and PROPERTY_PATH are what the failure printed. Without them every
 * run has a seed of its own.
 */
const { PROPERTY_SEED: seed, PROPERTY_PATH: path } = process.env;
if (seed) {
  const { configureGlobal } = await import("fast-check");
  configureGlobal({ seed: Number(seed), ...(path && { path }), endOnFailure: true });
}

export {};
