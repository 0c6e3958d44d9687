/** Random damage to the journal that a crawl finds in its folder. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openJournal } from "../../src/journal/open.ts";
import { createRandom, SEED } from "../helpers/random.ts";
import { crawlOptions, RATES, runCommand, temporaryFolder } from "../helpers/run.ts";
import { startUpstream } from "../helpers/upstream/upstream.ts";

const CASES = 12;
const PAGE = 4096;
const WORDS = [...RATES, "--languages", "en", "--ranks", "all", "--days", "7", "--allow-partial"];
const OTHER_SELECTION = [...WORDS, "--days", "1"];

const random = createRandom("damaged journals");
let upstream: Awaited<ReturnType<typeof startUpstream>>;
let finished: Buffer;
let unfinished: Buffer;

const crawl = (data: string, words: readonly string[]) =>
  runCommand("crawl", [...crawlOptions(upstream.url, data), ...words]);

beforeAll(async () => {
  upstream = await startUpstream(2);
  using folder = temporaryFolder();
  expect((await crawl(folder.path, WORDS)).code).toBe(0);
  const [name = ""] = readdirSync(join(folder.path, "journals"));
  const file = join(folder.path, "journals", name);
  finished = readFileSync(file);
  const journal = openJournal(file);
  journal.reopen();
  journal.close();
  unfinished = readFileSync(file);
});
afterAll(() => upstream[Symbol.asyncDispose]());

const pageOf = (bytes: Buffer) => PAGE * random.below(bytes.length / PAGE);

test.for<[how: string, damage: (bytes: Buffer) => Buffer]>([
  [
    "20 flipped bits",
    (bytes) => {
      for (let bit = 0; bit < 20; bit += 1) {
        const at = random.below(bytes.length);
        bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8));
      }
      return bytes;
    },
  ],
  ["zeros from one page on", (bytes) => bytes.fill(0, pageOf(bytes))],
  ["a page of one byte", (bytes) => ((at) => bytes.fill(random.below(256), at, at + PAGE))(pageOf(bytes))],
  ["noise in its first page", (bytes) => ((at) => bytes.fill(random.below(256), at, at + 200))(random.below(PAGE))],
  ["less than all of it", (bytes) => bytes.subarray(0, random.below(bytes.length))],
])("a journal with %s costs no night, whatever it was of", async ([, damage]) => {
  const ended: unknown[] = [];
  for (let number = 0; number < CASES; number += 1) {
    using folder = temporaryFolder();
    mkdirSync(join(folder.path, "journals"));
    const bytes = damage(Buffer.from(number % 3 === 2 ? finished : unfinished));
    writeFileSync(join(folder.path, "journals", "20260101T000000Z-001.journal"), bytes);
    const { code, stderr } = await crawl(folder.path, number % 2 === 0 ? WORDS : OTHER_SELECTION);
    ended.push([code, stderr]);
  }
  expect(ended, `SEED=${SEED}`).toEqual(ended.map(() => [0, ""]));
});
