import { execFileSync, spawn, spawnSync } from "node:child_process";
import { copyFileSync, cpSync, mkdirSync, realpathSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type Instruction, isSent, stagesOf } from "./dockerfile.ts";

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

/** Nothing can be written but the data and what is temporary, and there is no right to change that. */
const SHUT_IN = `${ROOM}mount -t tmpfs none /tmp
for place in ${WORKDIR} /usr/local/bin /; do mount -o remount,bind,ro "$place"; done
exec setpriv --reuid="$1" --regid="$1" --clear-groups --no-new-privs --inh-caps=-all --bounding-set=-all -- "\${@:2}"`;

/** Whether a process may have mounts of its own here. */
export const canBuild = () => spawnSync("unshare", ["--mount", "--pid", "--fork", "--mount-proc", "true"]).status === 0;

/** What a builder makes of a Dockerfile, its own commands in its own places, on this machine instead of the image's. */
export function buildImage(root: string, folder: string, { dockerfile, rules }: { dockerfile: string; rules: string }) {
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
    for (const pair of said.split(" ")) Object.assign(stage.env, { [pair.split("=")[0] ?? ""]: pair.split("=")[1] });
  } else if (word === "USER") stage.user = said;
  else if (word === "WORKDIR") {
    if (said !== WORKDIR) throw new Error(`the room is ${WORKDIR}, not ${said}`);
  } else if (!["FROM", "EXPOSE", "HEALTHCHECK", "CMD"].includes(word)) throw new Error(`${word}: not known here`);
}

const startable = ({ folder, user, env }: Stage, node: string) => ({
  app: join(folder, "srv"),
  data: join(folder, "lib", "metasnap"),
  /** Starts a command as the first process of a container. */
  start(words: readonly string[], given: Record<string, string> = {}) {
    const room = ["--mount", "--pid", "--fork", "--kill-child", "--mount-proc", "bash", "-c", SHUT_IN, "room"];
    return spawn("unshare", [...room, folder, node, user, ...words], { env: { ...env, ...given } });
  },
});
