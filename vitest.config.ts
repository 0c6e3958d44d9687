import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/helpers/world.ts"],
    // Most of a test's time goes by in processes that it has started: two files at once on two cores.
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // What is waited for comes when the machine has time for it.
    expect: { poll: { timeout: 60_000 } },
  },
});
