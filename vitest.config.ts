import { randomInt } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { defineConfig } from "vitest/config";
import { createRandom } from "./test/helpers/mutation/random.ts";

const FULL = process.env.FULL !== undefined;
const SEED = process.env.SEED ?? String(randomInt(2 ** 31));

const nameOf = (file: string) => basename(file, ".test.ts");

/** Stories of many nights, kills and faults, by name. */
const STORIES = [
  ...["announced", "autumn", "clock", "drift", "kills", "odd-examples", "odd-values", "quota-nights", "refusals"],
  ...["second-looks", "stamps", "trust", "journal-order", "full-disk", "month", "nights-order", "signed-nights"],
  ...["strangers", "tampered", "workflows"],
];
/** By default the seed draws so many of them, beside those that are named on the command line; `make proof` tells each. */
const TOLD = createRandom(SEED).shuffle(STORIES).slice(0, 6);
const isTold = (file: string) =>
  FULL ||
  TOLD.includes(nameOf(file)) ||
  !STORIES.includes(nameOf(file)) ||
  process.argv.slice(2).some((word) => !word.startsWith("-") && word.length > 3 && file.includes(word));

/** What has no part that takes less than a minute is a `.proof.ts`, for `make proof` alone. */
const TESTS = globSync(FULL ? "test/*/*.{test,proof}.ts" : "test/*/*.test.ts", { cwd: import.meta.dirname })
  .map((file) => file.replaceAll("\\", "/"))
  .filter(isTold);

/** Whether a test, or a helper that it imports, uses the world that is crawled before the first test. */
function needsWorld(file: string): boolean {
  const text = readFileSync(join(import.meta.dirname, file), "utf8");
  const helpers = [...text.matchAll(/^(?:import .*|\}) from "(\.{1,2}\/[^"]+)";$/gm)].map(([, path = ""]) =>
    join(file, "..", path),
  );
  return /\binject\(/.test(text) || helpers.some((helper) => helper.startsWith("test") && needsWorld(helper));
}

// Tests have upstreams and proxies of their own, whatever network they run in.
for (const name of Object.keys(process.env))
  if (/^(https?_proxy|no_proxy|node_use_env_proxy)$/i.test(name)) delete process.env[name];

export default defineConfig({
  test: {
    // What a test's upstream refuses is asked again at once, not after ten minutes.
    env: { METASNAP_CONFIRM_AFTER: "0s", SEED },
    // Much of a test's time goes by in waiting for what it has started: more files at once than there are cores.
    maxWorkers: 5,
    // A file keeps no state in a module; loaded once, the code stays compiled and warm for the next file.
    isolate: false,
    setupFiles: ["test/helpers/compile-cache.ts"],
    // It ends what hangs; how long a test takes is nobody's promise.
    testTimeout: FULL ? 1_800_000 : 600_000,
    hookTimeout: 600_000,
    // What is waited for comes when the machine has time for it.
    expect: { poll: { timeout: 240_000 } },
    projects: [
      { extends: true, test: { name: "alone", include: TESTS.filter((file) => !needsWorld(file)) } },
      {
        extends: true,
        test: { name: "world", include: TESTS.filter(needsWorld), globalSetup: ["test/helpers/world.ts"] },
      },
    ],
  },
});
