import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { crawlOptions, type Ended, temporaryFolder } from "../run.ts";
import { startServer } from "../server.ts";
import { startUpstream } from "../upstream/upstream.ts";
import { AT_STATS, type Misbehaviour } from "./row.ts";
import type { MisbehaviourName } from "./table.ts";
import { startMisbehaving } from "./upstream.ts";

/** Returns the options of a crawl. One that is to fail may do so at once: it has one attempt, and a short timeout. */
const wordsOf = ({ at, reasons, code, args = [] }: Pick<Misbehaviour, "at" | "reasons" | "code" | "args">) => [
  ...["--languages", "en,ja", "--ranks", "all", "--days", "7", "--endpoints", at.endpoints],
  ...["--timeout", reasons.includes("timeout") ? "2" : "60", "--attempts", code === 0 ? "3" : "1"],
  ...args,
];

// biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may be there
const STEERING = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/;

/** The endings of the published files, and what the one snapshot holds. */
function readPublished(data: string) {
  const folder = join(data, "snapshots");
  const files = existsSync(folder) ? readdirSync(folder).sort() : [];
  const manifest = files.find((name) => name.endsWith(".json"));
  const { content_hash } = manifest ? JSON.parse(readFileSync(join(folder, manifest), "utf8")) : {};
  return {
    endings: files.map((name) => name.replace(/^[^.]*/, "")).join(),
    content: content_hash as string | undefined,
  };
}

/** Lists the faults in how a crawl ended. */
function faultsOf({ code, says, reasons, same }: Misbehaviour, ended: Ended, data: string, honest: string | undefined) {
  const { stderr, stdout, events } = ended;
  const given = new Set(events.filter(({ event }) => event === "fault").map(({ reason }) => reason));
  // What comes back as it was is no fault: that it was asked for again is said.
  if (events.some(({ event, check }) => event === "asking-again" && check === "odd-records")) given.add("odd");
  const long = events.find((event) => event.event !== "quality" && JSON.stringify(event).length > 20_000);
  const { endings, content } = readPublished(data);
  const isSaid = says ? /^[^\n]{1,1200}\n$/.test(stderr) && says.test(stderr.trim()) : stderr === "";
  const checks: [boolean, string][] = [
    [ended.code === code, `ended with ${ended.code ?? ended.signal}, not ${code}: ${stderr.slice(0, 400)}`],
    [isSaid, `says ${stderr.slice(0, 400)}`],
    [!STEERING.test(stderr + stdout), "control characters"],
    [reasons.length === 0 || reasons.some((one) => given.has(one)), `gave ${[...given]}, not ${reasons}`],
    [long === undefined, `an event of ${JSON.stringify(long)?.length} characters`],
    [endings === (code === 0 ? ".json,.sqlite" : ""), `left ${endings}`],
    [!same || content === honest, "published another content than that of a well-behaved upstream"],
  ];
  return checks.flatMap(([held, fault]) => (held ? [] : [fault]));
}

/** Judges crawls that meet an upstream which misbehaves. `run` crawls, in this process or another. */
export async function startCourt(run: (words: string[]) => Promise<Ended>) {
  // What is not declared as made up counts as real.
  const target = await startUpstream(3, undefined, undefined, { declared: false });
  const trap = await startServer((socket) => void socket.destroy(), { raw: true });
  const crawl = (url: string, data: string, row: Parameters<typeof wordsOf>[0]) =>
    run([...crawlOptions(url, data), ...wordsOf(row)]);

  async function readHonest() {
    using folder = temporaryFolder();
    await crawl(target.url, folder.path, { at: AT_STATS, reasons: [], code: 0 });
    return readPublished(folder.path).content;
  }

  const honest = await readHonest();
  return {
    /** Lists the faults in how a crawl ends that meets this misbehaviour. */
    async judge(name: MisbehaviourName, row: Misbehaviour): Promise<string[]> {
      using folder = temporaryFolder();
      await using upstream = await startMisbehaving(target.url, {
        rules: [{ name, match: row.at.path }],
        elsewhere: trap.url,
      });
      const ended = await crawl(upstream.url, folder.path, row);
      const cookies = upstream.log.some(({ headers }) => headers.cookie !== undefined);
      return [
        ...faultsOf(row, ended, folder.path, honest),
        ...(trap.connections() > 0 ? ["asked whom it was not told to ask"] : []),
        ...(cookies ? ["sent a cookie"] : []),
      ];
    },
    async [Symbol.asyncDispose]() {
      await trap[Symbol.asyncDispose]();
      await target[Symbol.asyncDispose]();
    },
  };
}
