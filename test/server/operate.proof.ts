import { afterAll, expect, test } from "vitest";
import { fileOf } from "../helpers/data-folder.ts";
import { publishDays } from "../helpers/mirror.ts";
import { RATES, readUrl, startCommand, temporaryFolder } from "../helpers/run.ts";
import { startServe } from "../helpers/served.ts";
import { startServer } from "../helpers/server.ts";

const night = temporaryFolder();
afterAll(() => night[Symbol.dispose]());
await publishDays(night.path, [0], ...RATES);
const FILE = ["--snapshot", fileOf(night.path)];

test("a log that nobody reads holds no request up", async () => {
  const command = startCommand("serve", [...FILE, "--port", "0", "--log", "debug"]);
  command.child.stderr?.pause();
  try {
    const url = await readUrl(command);
    const agent = "x".repeat(200);
    for (let n = 0; n < 400; n += 50) {
      const some = Array.from({ length: 50 }, () =>
        fetch(`${url}/api/heroes?size=1`, { headers: { "user-agent": agent } }),
      );
      for (const response of await Promise.all(some)) expect((await response.text()).length).toBeGreaterThan(0);
    }
  } finally {
    command.child.kill("SIGKILL");
  }
});

const hanging = async (options: string[]) => {
  const upstream = await startServer(() => {});
  const served = await startServe([...FILE, "--upstream", upstream.url, "--auth-timeout", "100", ...options]);
  const login = fetch(`${served.url}/api/user/auth/login`, { method: "POST", body: "{}" }).catch(() => "cut");
  await expect.poll(() => upstream.seen.length).toBe(1);
  return { upstream, served, login };
};

test("the end comes after --grace, whatever is still in flight", async () => {
  const { upstream, served, login } = await hanging(["--grace", "0.5"]);
  expect(await served.stop("SIGINT")).toMatchObject({ code: 0, signal: null });
  expect(await login).toBe("cut");
  await upstream[Symbol.asyncDispose]();
});

test("the end comes at once on a second signal", async () => {
  const { upstream, served, login } = await hanging(["--grace", "600", "--log", "info"]);
  void served.stop("SIGTERM");
  await expect.poll(() => fetch(served.url).catch(() => "refused")).toBe("refused");
  expect(await served.stop("SIGINT")).toMatchObject({ code: 130, signal: null });
  expect(await login).toBe("cut");
  await upstream[Symbol.asyncDispose]();
});
