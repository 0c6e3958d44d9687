import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { request } from "undici";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { freePort } from "../../scripts/bench/nginx.ts";
import { startSample } from "../../src/sample/service/server.ts";
import { pointerOf } from "../helpers/data-folder.ts";
import { stagesOf, wordsOf } from "../helpers/dockerfile.ts";
import { buildImage, canBuild } from "../helpers/image-builder.ts";
import { crawlOptions, LITTLE, RATES, temporaryFolder } from "../helpers/run.ts";

/*
 * The steps of the Dockerfile, carried out as they stand there, and what comes of them, shut in as a container is. It takes
 * a minute and the registry of npm.
 */
const ROOT = join(import.meta.dirname, "..", "..");
const dockerfile = readFileSync(join(ROOT, "Dockerfile"), "utf8");
const last = stagesOf(dockerfile).at(-1) ?? [];
const able = canBuild();
if (!able) process.stderr.write("image-steps.proof.ts is skipped: only root may have mounts of its own\n");

describe.skipIf(!able)("what the Dockerfile makes", () => {
  const folder = temporaryFolder();
  let image: ReturnType<typeof buildImage>;

  beforeAll(() => {
    const rules = readFileSync(join(ROOT, ".dockerignore"), "utf8");
    image = buildImage(ROOT, folder.path, { dockerfile, rules });
  }, 600_000);
  afterAll(() => folder[Symbol.dispose]());

  async function run(words: readonly string[], env: Record<string, string> = {}) {
    const child = image.start(words, env);
    const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
    return { code, stdout, stderr };
  }

  test("has what a mirror needs, and nothing that only tests need", () => {
    const libraries = readdirSync(join(image.app, "node_modules"));
    expect(libraries).toEqual(expect.arrayContaining(["better-sqlite3", "h3", "tsx"]));
    expect(libraries.filter((name) => /^(node-linux|vitest|typescript|playwright|axe)/.test(name))).toEqual([]);
    expect(existsSync(join(image.app, ".assets", "meta.json"))).toBe(true);
    expect(statSync(image.data).uid).toBe(1000);
    expect(statSync(join(image.app, "package.json")).uid).toBe(0);
  });

  test("cannot write but to its data", async () => {
    const write = (path: string) => ["node", "-e", `require("fs").writeFileSync("${path}", "")`];
    for (const path of ["/srv/metasnap/src/x", "/etc/x", "/usr/local/bin/x"])
      expect((await run(write(path))).stderr).toContain(`EROFS: read-only file system, open '${path}'`);
    expect(await run(write("/var/lib/metasnap/x"))).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  test("crawls, verifies, serves, tells that it is well, and ends in order as the first process", async () => {
    const sample = await startSample({ heroes: 1 });
    const options = [...crawlOptions(sample.url, "/var/lib/metasnap"), ...LITTLE, ...RATES, "--allow-partial"];
    expect(await run([...manifest.scripts.crawl.split(" "), ...options])).toMatchObject({ code: 0, stderr: "" });
    await sample.close();
    const { version } = pointerOf(image.data);
    expect(await run(["npm", "run", "--silent", "verify"])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("0 of 6 slices missing"),
    });

    const env = { METASNAP_PORT: String(await freePort()) };
    const health = async () => (await run(wordsOf(last, "HEALTHCHECK"), env)).code;
    expect(await health()).toBe(1);
    const mirror = image.start(wordsOf(last, "CMD"), env);
    using _ = { [Symbol.dispose]: () => mirror.kill("SIGKILL") };
    const ended = once(mirror, "close");
    const [greeting] = await once(createInterface(mirror.stdout), "line");
    expect(greeting).toContain(`serving ${version} on http://0.0.0.0:${env.METASNAP_PORT}, `);
    expect(await health()).toBe(0);
    const { statusCode, body } = await request(`http://127.0.0.1:${env.METASNAP_PORT}/api/heroes`);
    await body.dump();
    expect(statusCode).toBe(200);

    const pid = Number(readFileSync(`/proc/${mirror.pid}/task/${mirror.pid}/children`, "utf8"));
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    for (const line of [
      /^NSpid:\t\d+\t1$/m,
      /^Uid:\t1000\t1000/m,
      /^CapEff:\t0+$/m,
      /^CapBnd:\t0+$/m,
      /^NoNewPrivs:\t1$/m,
    ])
      expect(status).toMatch(line);
    process.kill(pid, "SIGTERM");
    expect(await ended).toEqual([0, null]);
  });
});
