import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, vi } from "vitest";

/** A container has this machine's /usr, and all else is empty and gone with it. */
const CONTAINER = ["--quiet", "--register=no", "--keep-unit", "--directory=/", "--volatile=yes"];

const READ: ["ignore", "pipe", "ignore"] = ["ignore", "pipe", "ignore"];

/** Whether systemd can be the first process of a container here. */
export const canBoot = () => spawnSync("systemd-nspawn", [...CONTAINER, "true"], { stdio: "ignore" }).status === 0;

/** Boots a systemd that has a user, units and what is bound into it, as `from:to`. Nothing else is started. */
export async function boot(folder: string, { units, bound }: { units: string; bound: string[] }) {
  const users = join(folder, "users.conf");
  writeFileSync(users, "u metasnap - - /var/lib/metasnap\n");
  const binds = [`${users}:/etc/sysusers.d/metasnap.conf`, `${units}:/etc/systemd/system`, ...bound];
  const words = [...CONTAINER, "--console=pipe", ...binds.map((bind) => `--bind-ro=${bind}`)];
  const child = spawn("systemd-nspawn", [...words, "--boot", "systemd.unit=basic.target"], { stdio: "ignore" });
  const ended = once(child, "exit");
  /** Its first process: of nspawn itself the others would outlive the end. */
  const first = () => Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8").split(" ")[0]);
  /** Runs a command in it, and tells what that printed. */
  async function run(...command: string[]) {
    const { stdout } = spawn("nsenter", ["--all", `--target=${first()}`, "--", ...command], { stdio: READ });
    return (await text(stdout)).trim();
  }
  const machine = {
    run,
    async [Symbol.asyncDispose]() {
      process.kill(first(), "SIGKILL");
      await ended;
    },
  };
  const isRunning = async () => expect(await run("systemctl", "is-system-running")).toMatch(/^(running|degraded)$/);
  await vi.waitFor(isRunning, { timeout: 60_000 }).catch(async (error) => {
    await machine[Symbol.asyncDispose]();
    throw error;
  });
  return machine;
}
