import { createReadStream, existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isAsked } from "../../src/api/endpoint.ts";
import { ENDPOINTS } from "../../src/api/endpoints.ts";
import { HISTORY_TABLES } from "../../src/nights/history/tables.ts";
import type { Coverage } from "../../src/snapshot/schema/row-types.ts";
import { createDrill } from "../helpers/autumn/drill.ts";
import { ARCS, codeOf, EVENTFUL, type Mode } from "../helpers/autumn/plan.ts";
import { startAutumn } from "../helpers/autumn/upstream.ts";
import { fileOf, pointerOf } from "../helpers/data-folder.ts";
import { createDraw, drawn, FULL } from "../helpers/draw.ts";
import { runCommand, temporaryFolder } from "../helpers/run.ts";
import { startServer } from "../helpers/server.ts";
import { queryFile } from "../helpers/sqlite.ts";

const draw = createDraw("autumn");
const MODES = draw.some<Mode>(["plain", "reuse", "budget"], 1);
/** Where everything is tried, one mode has all nights with an event. */
const nightsOf = (mode: Mode) => (FULL && mode === MODES[0] ? EVENTFUL : draw.pick(ARCS));

/** What a crawl says of answers that it does not take as they come. */
const DOUBTS = ["fault", "asking-again", "unlisted", "widened", "never-agrees"];

test.for(MODES)(
  `an autumn of an upstream that closes, flips and grows costs no night that it need not (%s, ${drawn})`,
  { timeout: 1_800_000 },
  async (mode) => {
    using folder = temporaryFolder();
    await using autumn = await startAutumn();
    const [data, followed] = ["data", "followed"].map((name) => join(folder.path, name)) as [string, string];
    const drill = createDrill(autumn, data, mode, draw);
    const nights = nightsOf(mode);
    const killed = draw.shuffle(nights.slice(2)).slice(0, FULL ? 4 : 2);
    await using source = await startServer((request, response) => {
      const file = join(data, request.url ?? "");
      if (existsSync(file)) createReadStream(file).pipe(response);
      else response.writeHead(404).end();
    });
    const faults: string[] = [];
    for (const night of nights) {
      const begun = performance.now();
      const passed = await drill.pass(night, killed.includes(night));
      const groups = passed.events.filter(({ event }) => event === "refused").map(({ group }) => String(group));
      const seconds = ((performance.now() - begun) / 1000).toFixed(1);
      const isPublished = [0, 7].includes(passed.code ?? -1);
      const told = passed.faults.slice(0, 5);
      process.stdout.write(
        `${mode} ${night}${killed.includes(night) ? " killed" : ""}: ${passed.code}, ${passed.requests} requests, ${seconds} s; ${groups.join("; ")}\n`,
      );
      for (const fault of told) process.stdout.write(`   ${fault}\n`);
      faults.push(...passed.faults);
      if (passed.code !== codeOf(night, mode))
        faults.push(`night ${night} ended with ${passed.code}: ${passed.stderr}`);
      const pulled = await runCommand("pull", [source.url, "--data", followed]);
      if (pulled.code !== (isPublished ? 0 : 2))
        faults.push(`pull of ${night} ended with ${pulled.code}: ${pulled.stderr}`);
      if (pulled.stdout.includes("newly refused") !== (passed.code === 7))
        faults.push(`pull of ${night} says ${pulled.stdout}`);
    }
    expect(faults).toEqual([]);
    expect((await runCommand("history", ["--data", data])).code).toBe(0);
    const history = join(data, "history.sqlite");
    const gaps = HISTORY_TABLES.flatMap(({ versionTable }) =>
      queryFile<{ gaps: number }>(history, `SELECT count(*) AS gaps FROM ${versionTable} WHERE gap = 1`).filter(
        ({ gaps: count }) => count > 0,
      ),
    );
    expect(gaps).toEqual([]);
  },
);

test("the first night of an autumn holds all that the upstream says, and doubts nothing", async () => {
  using folder = temporaryFolder();
  await using autumn = await startAutumn();
  const data = join(folder.path, "data");
  const { code, stderr, events, faults } = await createDrill(autumn, data, "plain", draw).pass(1, false);
  expect([code, stderr, faults]).toEqual([0, "", []]);
  expect(events.filter(({ event }) => DOUBTS.includes(event))).toEqual([]);
  const file = fileOf(data, pointerOf(data).version);
  const captured = queryFile<Coverage>(file, "SELECT DISTINCT dataset FROM coverage WHERE status = 'captured'");
  const wanted = ENDPOINTS.filter(isAsked).map(({ dataset }) => dataset);
  expect(captured.map(({ dataset }) => dataset).sort()).toEqual(wanted.sort());
  expect(queryFile(file, "SELECT * FROM misfit")).toEqual([]);
  expect(queryFile(file, "SELECT DISTINCT difference FROM language_proof")).toEqual([{ difference: null }]);
  const verified = await runCommand("verify", ["--snapshot", file]);
  expect([verified.code, verified.stderr]).toEqual([0, ""]);
});
