import { globSync } from "node:fs";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { importsOf } from "./test/helpers/imports.ts";

/** The files that are named on the command line. */
const NAMES = process.argv
  .slice(2)
  .filter((word, at, words) => /^[^-].*[./]/.test(word) && !/^(?:-t|--testNamePattern)$/.test(words[at - 1] ?? ""));

/** `make test` runs the tests. What takes longer, or needs other programs, is a proof and left to `make proof`. */
const IS_PROOF = process.argv.includes("--mode=proof");
const PATTERN = IS_PROOF
  ? "test/*/*.proof.ts"
  : NAMES.some((name) => name.includes(".proof"))
    ? "test/*/*.{test,proof}.ts"
    : "test/*/*.test.ts";

const FILES = globSync(PATTERN, { cwd: import.meta.dirname })
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => NAMES.length === 0 || NAMES.some((name) => file.includes(name.replace(/:\d+$/, ""))));

if (FILES.length === 0) {
  process.stderr.write(`no test file is named ${NAMES.join(" or ")}: name a path, or a part of one, of ${PATTERN}\n`);
  process.exit(1);
}

/** What is made before the tests that import it begin. */
const MADE = ["world", "few-nights"]
  .filter((name) => FILES.some((file) => importsOf(file).has(`test/helpers/${name}.ts`)))
  .map((name) => `test/helpers/make-${name}.ts`);

/** What takes longest begins first: begun last, it would run alone at the end. Others begin in the order of their sizes. */
const LONGEST =
  /(?:killed|misbehaviours|missing-year|browser|package|outlives|trust|closed-parts|publish|pull-past|nights|month)\.\w+\.ts$/;

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const [long = [], rest = []] = [true, false].map((isLong) =>
      files.filter((file) => LONGEST.test(file.moduleId) === isLong),
    );
    return [...long, ...(await super.sort(rest))];
  }
}

// Tests have upstreams and proxies of their own, whatever network they run in.
for (const name of Object.keys(process.env))
  if (/^(https?_proxy|no_proxy|node_use_env_proxy)$/i.test(name)) delete process.env[name];

export default defineConfig({
  test: {
    include: FILES,
    globalSetup: MADE,
    // What a test's upstream did not give is asked again at once, not after five minutes.
    env: { METASNAP_CLOSING_PAUSE: "0s" },
    // A test waits for what it has started, and a proof does little else: more files at once than there are cores. Each worker compiles
    // the code once more.
    maxWorkers: IS_PROOF ? 5 : 3,
    sequence: { sequencer: LongestFirst },
    // A file keeps no state in a module; loaded once, the code stays compiled and warm for the next file.
    isolate: false,
    // Node 24 reads all of it by itself, and sooner than it can be translated; nothing is mocked.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    setupFiles: ["test/helpers/compile-cache.ts"],
    // It ends what hangs; how long a test takes is nobody's promise.
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
    // What is waited for comes when the machine has time for it.
    expect: { poll: { timeout: 240_000 } },
  },
});
