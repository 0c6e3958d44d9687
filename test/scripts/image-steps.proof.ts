import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { request } from "undici";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { freePort } from "../../scripts/bench/nginx.ts";
import { startSample } from "../../src/extra/sample/service/server.ts";
import { pointerOf } from "../helpers/data-folder.ts";
import { type Instruction, isSent, pairsOf, stagesOf, wordsOf } from "../helpers/dockerfile.ts";
import { crawlOptions, LITTLE, RATES, temporaryFolder } from "../helpers/run.ts";

const WORKDIR = "/srv/metasnap";
const PATH = "/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** This machine with what is of the stage in its places: the folder, /var/lib, users, and Node with its npm. */
const ROOM = `set -eu
mount -t tmpfs none /srv && mkdir ${WORKDIR} && mount --bind "$1/srv" ${WORKDIR}
mount --bind "$1/lib" /var/lib
mount --bind "$1/passwd" /etc/passwd && mount --bind "$1/group" /etc/group
mount --bind "$2" /usr/local/bin
shift 2 && cd ${WORKDIR}
`;

/** Nothing can be written but the data, if they are not "ro", and what is temporary; there is no right to change that. */
const SHUT_IN = `${ROOM}mount -t tmpfs none /tmp
for place in ${WORKDIR} /usr/local/bin /; do mount -o remount,bind,ro "$place"; done
[ "$2" = rw ] || mount -o remount,bind,ro /var/lib
exec setpriv --reuid="$1" --regid="$1" --clear-groups --no-new-privs --inh-caps=-all --bounding-set=-all -- "\${@:3}"`;

/** What a builder makes of a Dockerfile, its own commands in its own places, on this machine instead of the image's. */
function buildImage(root: string, folder: string, { dockerfile, rules }: { dockerfile: string; rules: string }) {
  const context = join(folder, "context");
  const files = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" }).trim().split("\n");
  for (const file of files.filter((one) => isSent(one, rules))) cpSync(join(root, file), join(context, file));
  const node = join(folder, "node");
  mkdirSync(node);
  copyFileSync(process.execPath, join(node, "node"));
  symlinkSync(realpathSync(execFileSync("which", ["npm"], { encoding: "utf8" }).trim()), join(node, "npm"));
  const [, ...stages] = stagesOf(dockerfile);
  const made = new Map<string, Stage>();
  for (const [at, steps] of stages.entries()) {
    const name = / AS (\w+)$/.exec(steps[0]?.said ?? "")?.[1] ?? String(at);
    const stage = createStage(join(folder, name));
    for (const step of steps) carryOut(step, stage, { context, node, made });
    made.set(name, stage);
  }
  return startable([...made.values()].at(-1) as Stage, node);
}

interface Stage {
  folder: string;
  user: string;
  env: Record<string, string>;
}

function createStage(folder: string): Stage {
  for (const name of ["srv", "lib"]) mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, "passwd"), "root:x:0:0::/root:/bin/sh\nnode:x:1000:1000::/home/node:/bin/sh\n");
  writeFileSync(join(folder, "group"), "root:x:0:\nnode:x:1000:\n");
  return { folder, user: "root", env: { PATH } };
}

interface Tools {
  context: string;
  node: string;
  made: ReadonlyMap<string, Stage>;
}

function carryOut({ word, said }: Instruction, stage: Stage, { context, node, made }: Tools): void {
  if (word === "RUN") {
    const env = { ...process.env, PATH };
    execFileSync("unshare", ["--mount", "bash", "-c", `${ROOM}exec sh -c "$1"`, "room", stage.folder, node, said], {
      env,
    });
  } else if (word === "COPY") {
    const [, from, paths = ""] = /^(?:--from=(\w+) )?(.*)$/.exec(said) ?? [];
    const names = paths.split(" ");
    const to = join(stage.folder, "srv", names.pop() ?? "");
    const base = from ? join(made.get(from)?.folder ?? "", "srv") : context;
    for (const path of names.map((name) => join(base, name.replace(`${WORKDIR}/`, "")))) {
      const target = statSync(path).isDirectory() ? to : join(to, basename(path));
      mkdirSync(dirname(target), { recursive: true });
      cpSync(path, target, { recursive: true, verbatimSymlinks: true });
    }
  } else if (word === "ENV") {
    Object.assign(stage.env, Object.fromEntries(pairsOf(said)));
  } else if (word === "USER") stage.user = said;
  else if (word === "WORKDIR") {
    if (said !== WORKDIR) throw new Error(`the room is ${WORKDIR}, not ${said}`);
  } else if (!["FROM", "EXPOSE", "HEALTHCHECK", "ENTRYPOINT", "CMD"].includes(word))
    throw new Error(`${word}: not known here`);
}

const startable = ({ folder, user, env }: Stage, node: string) => ({
  app: join(folder, "srv"),
  data: join(folder, "lib", "metasnap"),
  /** Starts a command as the first process of a container. */
  start(words: readonly string[], given: Record<string, string> = {}, { as = user, data = "rw" } = {}) {
    const room = ["--mount", "--pid", "--fork", "--kill-child", "--mount-proc", "bash", "-c", SHUT_IN, "room"];
    return spawn("unshare", [...room, folder, node, as, data, ...words], { env: { ...env, ...given } });
  },
});

/*
 * The steps of the Dockerfile, carried out as they stand there, and what comes of them, shut in as a container is. It takes
 * a minute and the registry of npm.
 */
const ROOT = join(import.meta.dirname, "..", "..");
const dockerfile = readFileSync(join(ROOT, "Dockerfile"), "utf8");
const last = stagesOf(dockerfile).at(-1) ?? [];
const entrypoint = wordsOf(last, "ENTRYPOINT");
const { services } = parse(readFileSync(join(ROOT, "scripts/deploy/compose.yaml"), "utf8"), { merge: true });
/** The mirror of compose.yaml, which has one number for its user and its group. */
const READER = { as: services.mirror.user.split(":")[0], data: services.mirror.volumes[0].split(":")[2] };

describe("what the Dockerfile makes", () => {
  const folder = temporaryFolder();
  let image: ReturnType<typeof buildImage>;

  beforeAll(() => {
    const rules = readFileSync(join(ROOT, ".dockerignore"), "utf8");
    image = buildImage(ROOT, folder.path, { dockerfile, rules });
  }, 600_000);
  afterAll(() => folder[Symbol.dispose]());

  async function run(...given: Parameters<typeof image.start>) {
    const child = image.start(...given);
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
    expect((await run(write("/var/lib/metasnap/x"), {}, READER)).stderr).toContain("EROFS: read-only file system");
  });

  test("crawls, verifies and serves what it can only read, tells that it is well, and ends in order", async () => {
    const sample = await startSample({ heroes: 1 });
    const options = [...crawlOptions(sample.url, "/var/lib/metasnap"), ...LITTLE, ...RATES, "--allow-partial"];
    expect(await run([...entrypoint, "crawl", ...options])).toMatchObject({ code: 0, stderr: "" });
    await sample.close();
    const { version } = pointerOf(image.data);
    expect(await run(["metasnap", "verify"], {}, READER)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("0 of 6 slices missing"),
    });

    const env = { METASNAP_PORT: String(await freePort()) };
    const health = async () => (await run(wordsOf(last, "HEALTHCHECK"), env, READER)).code;
    expect(await health()).toBe(1);
    const mirror = image.start([...entrypoint, ...wordsOf(last, "CMD")], env, READER);
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
      new RegExp(`^Uid:\t${READER.as}\t${READER.as}`, "m"),
      /^CapEff:\t0+$/m,
      /^CapBnd:\t0+$/m,
      /^NoNewPrivs:\t1$/m,
    ])
      expect(status).toMatch(line);
    process.kill(pid, "SIGTERM");
    expect(await ended).toEqual([0, null]);
  });
});
