import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { connect, createServer, type NetConnectOpts } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

// Debian has it in a folder that is not in everybody's path.
const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };

export const NGINX_MISSING = "nginx is not installed, run `apt-get install nginx-light`";

export const hasNginx = () => spawnSync("nginx", ["-v"], { env }).error === undefined;

/**
 * A real nginx with one worker, whose `http` block is given. All that it writes is in the folder. Resolves when it
 * accepts connections at that address.
 */
export async function startNginx(folder: string, http: string, address: NetConnectOpts) {
  const file = join(folder, "nginx.conf");
  writeFileSync(file, configure(http));
  const child = spawn("nginx", ["-p", folder, "-c", file, "-e", "stderr"], {
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (chunk) => {
    said += chunk;
  });
  // Killed, the master would leave its worker behind.
  const end = () => child.kill();
  process.once("exit", end);
  const ended = once(child, "exit").then(() => process.off("exit", end));
  while (!(await accepts(address))) {
    if (child.exitCode !== null) throw new Error(`nginx ended: ${said}`);
    await sleep(20);
  }
  return {
    async stop() {
      end();
      await ended;
    },
  };
}

function configure(http: string): string {
  // Without it a master of root gives its worker to nobody, who may not read the folder.
  const user = process.getuid?.() === 0 ? "user root;" : "";
  const folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${name}_temp;`);
  return `${user}
    daemon off;
    pid nginx.pid;
    worker_processes 1;
    events {}
    http { access_log off; ${folders.join(" ")}
      ${http}
    }`;
}

function accepts(address: NetConnectOpts): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address);
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}

/** A port that nobody had a moment ago: nginx does not choose one itself. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}
