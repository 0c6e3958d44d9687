/** The programs of the page for apps, as they stand there, with a mirror, files and hosts of this machine. */
import { spawn } from "node:child_process";
import { copyFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePort } from "../../scripts/bench/nginx.ts";
import { copyOf } from "../helpers/data-folder.ts";
import { elementsOf, parseHtml, rowsOf } from "../helpers/html.ts";
import { type RunningMirror, startFollowing } from "../helpers/mirror.ts";
import { blocksOf, commandsOf, sqlOf } from "../helpers/pages.ts";
import { runCommand, temporaryFolder } from "../helpers/run.ts";
import { startServer } from "../helpers/server.ts";
import { editFile, queryFile } from "../helpers/sqlite.ts";
import { world } from "../helpers/world.ts";

const PAGE = "data/APPS.md";
/** Debian's, for which its modules are. */
const PYTHON = "/usr/bin/python3";

/** By the name in their first line. */
const PROGRAMS = new Map(
  ["ts", "py"].flatMap((language) =>
    blocksOf(PAGE, language).map((block) => [/^(?:\/\/|#) (\S+)\n/.exec(block)?.[1] ?? "", block]),
  ),
);

const HOSTS = `["https://mirror.example", "https://upstream.example"]`;

/** Lays a program into a folder, with other hosts. */
function lay(folder: string, name: string, hosts?: readonly string[]) {
  const program = PROGRAMS.get(name) ?? "";
  if (hosts) expect(program).toContain(HOSTS);
  writeFileSync(join(folder, name), hosts ? program.replace(HOSTS, JSON.stringify(hosts)) : program);
}

async function start(folder: string, ...words: string[]) {
  const program = words[0]?.endsWith(".ts") ? process.execPath : PYTHON;
  const child = spawn(program, words, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  const [stdout, stderr, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.once("close", resolve)),
  ]);
  return { code, stdout, stderr };
}

/** A server that answers by the first word of the path, and notes what it is asked. */
async function startHost(answer: (word: string) => { status: number; body: string } | undefined) {
  const asked: string[] = [];
  const bodies: unknown[] = [];
  const server = await startServer((_, response, { url, body }) => {
    const [, word = ""] = url.split("/");
    asked.push(word);
    if (body.length > 0) bodies.push(JSON.parse(body.toString()));
    const given = answer(word);
    // Without an answer the client waits.
    if (given) response.writeHead(given.status, { "content-type": "application/json" }).end(given.body);
  });
  return { url: server.url, asked, bodies, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

/** Hosts that are no good; a status does not make an answer of a body that looks like one, nor the other way round. */
const BAD: Record<string, { status: number; body: string } | undefined> = {
  silent: undefined,
  busy: { status: 503, body: `{"code":0,"data":{"records":[]}}` },
  limited: { status: 429, body: `{"code":0,"data":{"records":[]}}` },
  parked: { status: 200, body: "<!doctype html>For sale" },
  gone: { status: 404, body: "<!doctype html>Not found" },
  refusing: { status: 200, body: `{"code":10407,"message":"closed","data":{"records":[]}}` },
  empty: { status: 200, body: "null" },
  list: { status: 200, body: "[]" },
};

/** What asks in each language, what it prints of these hosts, and how it asks for a hero that nobody has. */
const ASKING = [
  {
    language: "TypeScript",
    files: ["ask.ts"],
    program: ["ask.ts"],
    wrong: ["ask.ts", "nobody"],
    read: (stdout: string) =>
      stdout
        .trimEnd()
        .split("\n")
        .map((line) => line.split(" ").map(Number)),
    sql: `SELECT other_hero_id, increase_win_rate FROM hero_pairing
          WHERE source = 'counters' AND hero_id = 1 AND rank = 'all' AND days = 7 AND side = 'best' ORDER BY position`,
  },
  {
    language: "Python",
    files: ["ask.py", "frame.py"],
    program: ["frame.py"],
    wrong: ["-c", "from ask import ask; ask('/api/heroes/nobody')"],
    read: (stdout: string) =>
      stdout
        .trimEnd()
        .split("\n")
        .slice(1)
        .map((line) => line.split(",").map((cell, at) => (at ? Number(cell) : cell))),
    sql: `SELECT hero, win_rate, ban_rate FROM rate_list
          WHERE rank = 'glory' AND days = 7 ORDER BY win_rate DESC LIMIT 3`,
  },
];

const folder = temporaryFolder();
let mirror: RunningMirror;
beforeAll(async () => {
  writeFileSync(join(folder.path, "package.json"), `{ "type": "module" }`);
  mirror = await startFollowing(world.data);
});
afterAll(async () => {
  await mirror[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

test("each program of the page has a name, and is run here", () => {
  expect([...PROGRAMS.keys()].sort()).toEqual(["ask.py", "ask.ts", "bot.py", "frame.py", "site.ts"]);
});

describe.for(ASKING)("an app in $language", ({ files, program, wrong, read, sql }) => {
  const layAll = (hosts: string[]) => {
    for (const name of files) lay(folder.path, name, name.startsWith("ask") ? hosts : undefined);
  };

  test("asks one host after the other until a good one answers", async () => {
    await using bad = await startHost((word) => BAD[word]);
    const hosts = Object.keys(BAD).map((word) => `${bad.url}/${word}`);
    layAll([`http://127.0.0.1:${await freePort()}`, ...hosts, mirror.url]);
    const { code, stdout, stderr } = await start(folder.path, ...program);
    expect([code, stderr]).toEqual([0, ""]);
    expect(bad.asked).toEqual(Object.keys(BAD));
    const rows = queryFile<object>(world.snapshot, sql).map((row) => Object.values(row));
    expect(rows.length).toBeGreaterThan(2);
    expect(read(stdout)).toEqual(rows);
  });

  test("asks no other host if the first one answers, or says that the request is wrong", async () => {
    await using bad = await startHost((word) => BAD[word]);
    layAll([mirror.url, `${bad.url}/busy`]);
    expect((await start(folder.path, ...program)).code).toBe(0);
    const { code, stderr } = await start(folder.path, ...wrong);
    expect([code, stderr]).toEqual([1, expect.stringContaining(`/api/heroes/nobody`)]);
    expect(stderr).toContain(`${mirror.url}: 404`);
    expect(bad.asked).toEqual([]);
  });

  test("says of each host what was wrong if none answers", async () => {
    await using bad = await startHost((word) => BAD[word]);
    layAll([`${bad.url}/busy`, `${bad.url}/parked`]);
    const { code, stderr } = await start(folder.path, ...program);
    expect([code, stderr]).toEqual([1, expect.stringContaining(`${bad.url}/busy: 503; ${bad.url}/parked: `)]);
  });
});

/** What the page exports, of a file. */
async function exportAs(words: RegExp, ...file: string[]) {
  const line = commandsOf(PAGE).find((command) => words.test(command)) ?? "";
  const args = line.split(" ").slice(2);
  const there = args.map((word) => (/^(export|site)$/.test(word) ? join(folder.path, word) : word));
  const { code, stderr } = await runCommand("export", [...there, ...file], { METASNAP_DATA: world.nights.data });
  expect([code, stderr]).toEqual([0, ""]);
}

test("DuckDB reads the views of an export as SQLite reads those of the file", async () => {
  await exportAs(/--views/);
  const [sql = "", ...others] = sqlOf(PAGE);
  expect(others).toEqual([]);
  const duck = await (await DuckDBInstance.create(":memory:")).connect();
  const result = await duck.runAndReadAll(sql.replaceAll("'export/", `'${join(folder.path, "export")}/`));
  duck.closeSync();
  const rows = queryFile<object>(
    world.nights.files.at(-1) ?? "",
    `SELECT hero.name AS hero, win_rate, other.name AS other, increase_win_rate FROM hero_rate AS rate JOIN hero USING (hero_id)
     JOIN hero_pairing AS pairing ON pairing.hero_id = rate.hero_id AND pairing.rank = rate.rank AND pairing.days = rate.days
     JOIN hero AS other ON other.hero_id = pairing.other_hero_id
     WHERE rate.rank = 'all' AND rate.days = 7 AND source = 'counters' AND side = 'worst' AND position = 1
     ORDER BY win_rate DESC LIMIT 3`,
  );
  expect(rows).toHaveLength(3);
  expect(result.getRowObjects()).toEqual(rows);
});

describe("a bot", () => {
  const memory = join(folder.path, "posted");

  /** What a mirror's newest night is, as it should be posted. */
  async function newestOf({ url }: RunningMirror) {
    const feed = await (await fetch(`${url}/changes.atom`)).text();
    const [entry] = elementsOf(parseHtml(feed.replace(/^<\?xml.*\n<feed .*?>/, "<feed>").trimEnd()), "entry");
    const textOf = (name: string) => (entry && elementsOf(entry, name)[0]?.text) ?? "";
    const lines = elementsOf(parseHtml(textOf("content")), "li").map((line) => line.text);
    expect(lines.length).toBeGreaterThan(0);
    return { content: [textOf("title"), ...lines].join("\n"), allowed_mentions: { parse: [] } };
  }

  test("posts each new night once, whatever the webhook and a rollback do", async () => {
    lay(folder.path, "bot.py");
    const { data } = world.nights;
    using before = copyOf(data);
    expect((await runCommand("rollback", ["--data", before.path])).code).toBe(0);
    await using earlier = await startFollowing(before.path);
    await using later = await startFollowing(data);
    const [second, third] = [await newestOf(earlier), await newestOf(later)];
    expect(second).not.toEqual(third);
    let status = 204;
    await using webhook = await startHost(() => ({ status, body: "" }));
    /** What it posts, and how it ends. */
    const post = async ({ url }: RunningMirror, file = memory) => {
      webhook.bodies.length = 0;
      const { code } = await start(folder.path, "bot.py", url, webhook.url, file);
      return [code, ...webhook.bodies];
    };
    expect(await post(earlier)).toEqual([0, second]);
    expect(await post(earlier)).toEqual([0]);
    status = 500;
    expect(await post(later)).toEqual([1, third]);
    status = 204;
    expect(await post(later)).toEqual([0, third]);
    expect(await post(later)).toEqual([0]);
    expect(await post(earlier)).toEqual([0]);
    // Who begins does not get all nights.
    expect(await post(later, `${memory}-other`)).toEqual([0, third]);
    expect(await post(later, `${memory}-other`)).toEqual([0]);
  });
});

test("a site of plain HTML is made from the exported files, in which no name is markup and any value may be missing", async () => {
  const MARKUP = `<img src=x onerror="document.title=1">&lt;`;
  const file = join(folder.path, "night.sqlite");
  copyFileSync(world.nights.files.at(-1) ?? "", file);
  editFile(
    file,
    `UPDATE record SET json = json_set(json, '$.data.main_hero.data.name', '${MARKUP}')
     WHERE slice_id IN (SELECT slice_id FROM coverage WHERE dataset = 'rank' AND slice = 'rank=all&days=7&lang=en') AND position = 1`,
  );
  const remove = (position: number, path: string) =>
    editFile(
      file,
      `UPDATE record SET json = json_remove(json, '${path}')
       WHERE slice_id IN (SELECT slice_id FROM coverage WHERE dataset = 'rank' AND slice = 'rank=all&days=7&lang=en') AND position = ${position}`,
    );
  remove(2, "$.data.main_hero.data");
  remove(3, "$.data.main_hero_win_rate");
  await exportAs(/--format api/, file);
  lay(folder.path, "site.ts");
  expect(await start(folder.path, "site.ts")).toEqual({ code: 0, stdout: "", stderr: "" });
  const page = join(folder.path, "site", "index.html");
  const document = parseHtml(readFileSync(page, "utf8"));
  const [table] = elementsOf(document, "table");
  const shown = rowsOf(table ?? document).map((row) => row.map((cell) => cell.text));
  const rates = queryFile<{ name: string; win: number }>(
    file,
    `SELECT name, win_rate AS win FROM hero_rate JOIN hero USING (hero_id)
     WHERE rank = 'all' AND days = 7 ORDER BY win_rate DESC, hero_id`,
  );
  expect(rates.length).toBeGreaterThan(5);
  const names = new Map([
    [0, MARKUP],
    [1, "?"],
  ]);
  const expected = rates.map(({ name, win }, index) => [names.get(index) ?? name, `${(100 * win).toFixed(2)} %`]);
  // Without a rate it is the last.
  expected.push(...expected.splice(2, 1).map(([name = ""]) => [name, "–"]));
  expect(shown).toEqual(expected);
  expect(elementsOf(document, "img")).toEqual([]);
  expect(elementsOf(document, "p").map((about) => about.text)).toEqual([
    expect.stringMatching(/^2026-08-03, made-up numbers: \S/),
  ]);
  // The next export leaves the page.
  await exportAs(/--format api/, file);
  expect(existsSync(page)).toBe(true);
});
