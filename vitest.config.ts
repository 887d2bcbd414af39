import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Forks, because the prebuilt SQLite package aborts the process when a worker thread that uses it is terminated.
    pool: "forks",
    globalSetup: "test/helpers/postgres-for-run.ts",
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
