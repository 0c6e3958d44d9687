import { startSample } from "../../src/extra/sample/service/server.ts";
import { createMirror, type Mirror } from "../../src/server/compose.ts";
import { listen } from "../../src/server/http/http.ts";
import { createAdminRoutes } from "../../src/server/operate/admin.ts";
import { type ActiveSnapshotOptions, createActiveSnapshot } from "../../src/server/reload/active-snapshot.ts";
import { type Follower, followPointer, openLatest } from "../../src/server/reload/reload.ts";
import { errorResponse } from "../../src/server/response/http-response.ts";
import { createAuthProxy } from "../../src/server/routes/auth.ts";
import type { Pages } from "../../src/snapshot/read/shown.ts";
import { type OpenOptions, openSnapshot } from "../../src/snapshot/read/snapshot.ts";
import { crawlOptions, LITTLE, runCommand } from "./run.ts";

export interface RunningMirror extends Mirror {
  url: string;
  faults: unknown[];
  /** Statuses of the requests that reached it. */
  statuses: number[];
  [Symbol.asyncDispose](): Promise<void>;
}

type Options = Omit<ActiveSnapshotOptions, "snapshot"> & {
  pages?: Pages;
  publicUrl?: string;
  auth?: Parameters<typeof createAuthProxy>[0];
  maxOpen?: number;
  idleMs?: number;
  intervalMs?: number;
};

/** The mirror of one file on a real socket, with pages for people. */
export const startWithPages = (file: string, pages: Pages, options?: OpenOptions) =>
  startOn("/nowhere", createActiveSnapshot({ snapshot: openSnapshot(file, options) }), { pages });

/** The mirror of one file on a real socket. */
export const startMirror = (file: string, auth: Parameters<typeof createAuthProxy>[0] = {}) =>
  startOn("/nowhere", createActiveSnapshot({ snapshot: openSnapshot(file) }), { auth });

/** The mirror of what a folder's pointer names, which it follows. */
export async function startFollowing(data: string, options: Options = {}) {
  const active = openLatest(data, options);
  const mirror = await startOn(data, active, options);
  const follower: Follower = followPointer({ data, active, intervalMs: options.intervalMs ?? 50 });
  return {
    ...mirror,
    follower,
    async [Symbol.asyncDispose]() {
      await follower.stop();
      await mirror[Symbol.asyncDispose]();
    },
  };
}

async function startOn(
  data: string,
  active: Mirror["active"],
  { auth = {}, pages, publicUrl, maxOpen = 4, idleMs }: Options,
): Promise<RunningMirror> {
  const faults: unknown[] = [];
  const statuses: number[] = [];
  const onInternalError = (error: unknown) => void faults.push(error);
  const admin = createAdminRoutes({ status: active });
  const mirror = createMirror({
    data,
    active,
    auth: createAuthProxy(auth),
    admin,
    pages,
    publicUrl,
    onInternalError,
    maxOpen,
    idleMs,
  });
  const server = await listen(
    (request, response) => {
      response.once("finish", () => statuses.push(response.statusCode));
      mirror.handleRequest(request, response);
    },
    {
      port: 0,
      host: "127.0.0.1",
      toResponse: (error) => errorResponse(error, active.current),
      refuse: mirror.refuse,
    },
  );
  return {
    ...mirror,
    url: server.url,
    faults,
    statuses,
    async [Symbol.asyncDispose]() {
      await server.close();
      mirror.close();
    },
  };
}

/** Publishes small snapshots of these days, the last one as the latest; tells their versions. */
export const publishDays = (data: string, days: readonly number[], ...more: string[]) =>
  publishDaysOf(3, data, days, ...more);

/** The same with more heroes than three. */
export async function publishDaysOf(
  heroes: number,
  data: string,
  days: readonly number[],
  ...more: string[]
): Promise<string[]> {
  const sample = await startSample({ heroes });
  const versions: string[] = [];
  try {
    for (const day of days) {
      sample.set({ day });
      const options = [...crawlOptions(sample.url, data), ...LITTLE, "--allow-partial", "--fresh", ...more];
      const ended = await runCommand("crawl", options, { SOURCE_DATE_EPOCH: String(1_790_000_000 + day * 86_400) });
      const published = ended.events.find(({ event }) => event === "published");
      if (!published) throw new Error(ended.stderr);
      versions.push(String(published.version));
    }
  } finally {
    await sample.close();
  }
  return versions;
}
