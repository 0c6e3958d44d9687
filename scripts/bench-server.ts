import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import SQLite from "better-sqlite3";
import pLimit from "p-limit";
import { Agent, request } from "undici";
import { parameterFor } from "../src/api/endpoint.ts";
import { endpointOf } from "../src/api/endpoints.ts";
import { medianOf } from "../src/nights/diff/noise.ts";
import { latestFile } from "../src/snapshot/publish.ts";
import type { Coverage } from "../src/snapshot/tables.ts";
import type { Bench, Budget } from "./bench.ts";
import { startProgram } from "./bench-process.ts";
import { commandLine } from "./command-line.ts";

const CONNECTIONS = 32;
const SECONDS = 2;
const ONE_ANSWER = "/api/heroes/1/counters?rank=all&days=1";
/** Too little for the paths of a measurement: what is asked for again has been dropped long since. */
const NO_CACHE = ["--cache", "1"];

interface Load {
  rate: number;
  p99: number;
  failed: number;
}

/** The server's budgets (design, section 8), each as a ratio to a bare server in the same rounds. */
export const SERVER_BUDGETS: readonly Budget[] = [
  {
    name: "cached answer, of a bare server's rate",
    bound: "≥",
    limit: 0.9,
    unit: "",
    measure: (bench) => compareRates(bench, [ONE_ANSWER], []),
  },
  {
    name: "uncached single-hero answer, of the same",
    bound: "≥",
    limit: 0.4,
    unit: "",
    measure: (bench) => compareRates(bench, pathsOf(bench, "counters"), NO_CACHE),
  },
  {
    name: "uncached 20-record list, of the same",
    bound: "≥",
    limit: 0.3,
    unit: "",
    measure: (bench) => compareRates(bench, lists(), NO_CACHE),
  },
  {
    name: `p99 under ${CONNECTIONS} connections, of a bare server's`,
    bound: "≤",
    limit: 2,
    unit: " ×",
    measure: async (bench) => {
      const { mirror, bare } = await sideBySide(bench, [ONE_ANSWER], []);
      return medianOf(mirror.map(({ p99 }) => p99)) / medianOf(bare.map(({ p99 }) => Math.max(1, p99)));
    },
  },
  { name: "memory after every slice was asked once", bound: "≤", limit: 150, unit: " MB", measure: measureMemory },
  { name: "start to first answer, of `node -e 0`", bound: "≤", limit: 3, unit: " ×", measure: measureStart },
];

async function compareRates(bench: Bench, paths: string[], options: string[]): Promise<number> {
  const { mirror, bare } = await sideBySide(bench, paths, options);
  return medianOf(mirror.map(({ rate }, round) => rate / (bare[round]?.rate ?? 1)));
}

/** The mirror and a bare server under the same load, in turns. */
async function sideBySide(bench: Bench, paths: string[], options: string[]) {
  const mirror = await startMirror(bench, options);
  const bare = await startProgram(["scripts/bench-bare.ts", mirror.found], /bare on (\S+)/, JSON.stringify(paths));
  const loads = { mirror: [] as Load[], bare: [] as Load[] };
  try {
    await load(mirror.found, paths, 1);
    await load(bare.found, paths, 1);
    for (let round = 0; round < bench.rounds; round += 1) {
      loads.mirror.push(await load(mirror.found, paths, SECONDS));
      loads.bare.push(await load(bare.found, paths, SECONDS));
    }
  } finally {
    mirror.stop();
    bare.stop();
  }
  return loads;
}

const startMirror = ({ data }: Bench, options: string[]) =>
  startProgram([...commandLine("serve"), "--data", data, "--port", "0", ...options], /serving \S+ on (\S+),/);

async function load(url: string, paths: string[], seconds: number): Promise<Load> {
  const program = join(import.meta.dirname, "bench-load.ts");
  const words = [program, url, String(CONNECTIONS), String(seconds)];
  const child = spawn(process.execPath, words, { stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.end(JSON.stringify(paths));
  let text = "";
  child.stdout.on("data", (chunk) => {
    text += chunk;
  });
  await once(child, "close");
  const result = JSON.parse(text) as Load;
  if (result.failed > 0) throw new Error(`${result.failed} requests to ${url} failed`);
  return result;
}

/** Every slice that the snapshot holds, as a query. */
function pathsOf({ data }: Bench, dataset?: string): string[] {
  const db = new SQLite(latestFile(data), { readonly: true });
  const slices = db.prepare<[], Coverage>("SELECT * FROM coverage WHERE status <> 'failed'").all();
  db.close();
  return slices.filter((slice) => dataset === undefined || slice.dataset === dataset).map(toPath);
}

function toPath({ dataset, hero_id, subject, lane, rank, days, lang }: Coverage): string {
  const endpoint = endpointOf(dataset);
  const selecting = [
    [parameterFor(endpoint, "lane")?.name, lane],
    [parameterFor(endpoint, "rank")?.name, rank],
    [parameterFor(endpoint, "days")?.name, days],
    ["lang", lang],
  ];
  const query = selecting.flatMap(([name, value]) => (name && value !== null ? `${name}=${value}` : []));
  return `${endpoint.path.replace(/\{\w+\}/, String(hero_id ?? subject))}?${query.join("&")}`;
}

/** Pages of 20 of the rank list, in each of its orders. */
function lists(): string[] {
  const { parameters } = endpointOf("rank");
  const choices = parameters.flatMap((parameter) =>
    parameter.kind === "choice" && parameter.name !== "lang" ? [parameter] : [],
  );
  return choices.reduce(
    (paths, { name, values }) => paths.flatMap((path) => values.map((value) => `${path}&${name}=${value}`)),
    ["/api/heroes/rank?size=20", "/api/heroes/rank?size=20&index=2"],
  );
}

async function measureMemory(bench: Bench): Promise<number> {
  const mirror = await startMirror(bench, []);
  const dispatcher = new Agent({ connections: 16 });
  const limit = pLimit(16);
  try {
    await limit.map(pathsOf(bench), async (path) => {
      const { statusCode, body } = await request(mirror.found + path, { dispatcher });
      await body.dump();
      if (statusCode !== 200) throw new Error(`${path}: ${statusCode}`);
    });
    return Number(execFileSync("ps", ["-o", "rss=", "-p", String(mirror.child.pid)], { encoding: "utf8" })) / 1000;
  } finally {
    mirror.stop();
    await dispatcher.close();
  }
}

async function measureStart(bench: Bench): Promise<number> {
  const starts: number[] = [];
  const nothings: number[] = [];
  for (let round = 0; round < 4 * bench.rounds; round += 1) {
    const begun = performance.now();
    const mirror = await startMirror(bench, []);
    const { body } = await request(mirror.found + ONE_ANSWER);
    await body.text();
    starts.push(performance.now() - begun);
    mirror.stop();
    await mirror.ended;
    const before = performance.now();
    await once(spawn(process.execPath, ["-e", "0"], { stdio: "ignore" }), "exit");
    nothings.push(performance.now() - before);
  }
  return medianOf(starts) / medianOf(nothings);
}
