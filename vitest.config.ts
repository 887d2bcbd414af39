import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Forks, because the prebuilt SQLite package aborts the process when a worker thread that uses it is terminated.
    pool: "forks",
    globalSetup: "test/helpers/postgres-for-run.ts",
    setupFiles: ["test/helpers/replay-property.ts"],
    maxWorkers: 2,
    // Generous, because a busy machine is no failure; what must be quick says so itself.
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
