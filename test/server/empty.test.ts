import { existsSync, statSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { main as pull } from "../../scripts/pull.ts";
import { crawlOptions, RATES, readUrl, runCommand, startCommand, temporaryFolder } from "../helpers/run.ts";
import { sendFile, startSource } from "../helpers/upstream/source.ts";
import { startUpstream } from "../helpers/upstream/upstream.ts";
import { world } from "../helpers/world.ts";

/** A server whose folder has no night yet. */
async function startEmpty(words: readonly string[]) {
  const command = startCommand("serve", ["--port", "0", ...words]);
  const url = await readUrl(command, true);
  const get = async (path: string) => {
    const response = await fetch(url + path);
    return [response.status, response.headers.get("content-type"), await response.json()] as const;
  };
  return {
    get,
    status: async (path: string) => (await fetch(url + path)).status,
    async stop() {
      command.child.kill("SIGTERM");
      return await command.ended;
    },
    async [Symbol.asyncDispose]() {
      command.child.kill("SIGKILL");
      await command.ended;
    },
  };
}

const NOTHING_YET = [
  503,
  "application/json; charset=utf-8",
  {
    success: false,
    error: {
      code: "NOT_READY",
      message: "This mirror has no snapshot yet.",
      hint: "It answers as soon as the first night is there.",
      detail: "no snapshot",
      fields: [],
    },
  },
];

describe("a server whose folder has no night yet", () => {
  test("answers 503 with a sentence, and serves the first night as soon as it is there", async () => {
    using folder = temporaryFolder();
    await using upstream = await startUpstream(3);
    await using server = await startEmpty(["--data", folder.path]);
    for (const path of ["/health", "/ready", "/api/heroes", "/", "/snapshots/latest.json"])
      expect(await server.get(path), path).toEqual(NOTHING_YET);
    const crawl = [...crawlOptions(upstream.url, folder.path), ...RATES, "--allow-partial"];
    expect((await runCommand("crawl", crawl)).code).toBe(0);
    await expect.poll(() => server.status("/ready")).toBe(200);
    expect(await server.status("/api/heroes")).toBe(200);
    const { code, stdout, stderr } = await server.stop();
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout.split("\n").filter((line) => !line.startsWith(" "))).toEqual([
      expect.stringMatching(
        /^no night in \S+ yet: crawl, pull one, or start with --follow; answering 503 until then on http/,
      ),
      expect.stringMatching(/^now serving \d{8}T\d{6}Z-[\da-f]{8}$/),
      "",
    ]);
  });

  test("ends at a signal while it waits", async () => {
    using folder = temporaryFolder();
    await using server = await startEmpty(["--data", folder.path]);
    expect(await server.stop()).toMatchObject({ code: 0, stderr: "" });
  });

  test("fetches the first night with --follow, and tells how far it is", async () => {
    using folder = temporaryFolder();
    await using source = await startSource(world.nights.data);
    const asked = Promise.withResolvers<void>();
    source.fault = ({ file, req, res }) => {
      if (!existsSync(file)) return false;
      void asked.promise.then(() => sendFile(file, "", req, res));
      return true;
    };
    await using server = await startEmpty(["--data", folder.path, "--follow", source.url, "--every", "1h"]);
    expect(await server.get("/ready")).toEqual(NOTHING_YET);
    asked.resolve();
    await expect.poll(() => server.status("/ready")).toBe(200);
    const { code, stdout } = await server.stop();
    expect(code).toBe(0);
    expect(stdout).toMatch(/^fetching the first night from http:\S+; answering 503 until then on http/);
    expect(stdout).toMatch(
      /\ndownload \S+ 0% 0\.0\/\d+\.\d MB\ndownload \S+ 100% .* MB\/s.*\nverifying \S+\nnow serving /,
    );
  });

  test("does not wait for a folder that is not there", async () => {
    using folder = temporaryFolder();
    const none = `${folder.path}/none`;
    expect(await runCommand("serve", ["--data", none])).toMatchObject({
      code: 64,
      stderr: expect.stringMatching(/latest\.json: does not exist; /),
    });
    expect(existsSync(none)).toBe(false);
  });
});

/** Sends the beginning of a file. */
function breakOff(file: string, response: ServerResponse): true {
  response.writeHead(200, { "content-length": statSync(file).size }).write("x", () => response.destroy());
  return true;
}

test("a pull on a terminal shows a bar, and takes it away if the source breaks off", async () => {
  await using source = await startSource(world.nights.data);
  for (const code of [0, 4]) {
    using folder = temporaryFolder();
    const [stdout, stderr] = [Object.assign(new PassThrough(), { isTTY: true }), new PassThrough()];
    if (code === 4) source.fault = ({ file, res }) => file.endsWith(".sqlite") && breakOff(file, res);
    expect(await pull([source.url, "--data", folder.path], { stdout, stderr })).toBe(code);
    const shown = String(stdout.read() ?? "");
    if (code === 0) expect(shown).toMatch(/download \S+ .*100% /);
    // The cursor is hidden as often as it is shown again.
    expect(shown.split("\u001b[?25l").length).toBe(shown.split("\u001b[?25h").length);
  }
});
