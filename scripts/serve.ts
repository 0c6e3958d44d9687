import { existsSync } from "node:fs";
import { EXIT, Failure } from "../src/api/failure.ts";
import { isSample } from "../src/api/sample-data.ts";
import { sanitizeJson, sanitizeLines } from "../src/api/sanitize.ts";
import { pagesOnDemand } from "../src/extra/pages/site/on-demand.ts";
import { redactUrl } from "../src/network/unreachable.ts";
import { createMirror } from "../src/server/compose.ts";
import { createAdminRoutes } from "../src/server/operate/admin.ts";
import { createLog, type ServerLog } from "../src/server/operate/log.ts";
import { type ActiveSnapshot, createActiveSnapshot } from "../src/server/reload/active-snapshot.ts";
import { createProver } from "../src/server/reload/prove-nights.ts";
import { followData, openLatest, untilPublished } from "../src/server/reload/reload.ts";
import { createCache } from "../src/server/response/cache.ts";
import {
  createAuth,
  logInternalError,
  type Served,
  type ServeOptions,
  serveUntilStopped,
} from "../src/server/serve.ts";
import { describeAhead } from "../src/snapshot/published/clock.ts";
import { listVersions } from "../src/snapshot/published/folder.ts";
import { latestFile, readPointer } from "../src/snapshot/published/pointer.ts";
import { openSnapshot } from "../src/snapshot/read/snapshot.ts";
import { createSignedNights, type SignedNights } from "../src/snapshot/verify/signed-nights.ts";
import { createMain, runMain } from "./cli/command.ts";
import { io } from "./cli/io.ts";
import { defineServe, type ServeFlags } from "./cli/options/serve.ts";
import { complain, say } from "./cli/say.ts";
import { describeSettings } from "./cli/settings.ts";

export const main = createMain(defineServe, async (flags: ServeFlags, command) => {
  const settings = describeSettings(command);
  const log = createLog(flags.log);
  const signed = openSigned(flags);
  if (flags.get !== undefined) return answerOnce(flags, flags.get, log, signed);
  if (flags.snapshot === undefined) {
    if (flags.follow) (await import("./cli/folder.ts")).restoreAndTell(flags.data);
    complain(...describeAhead(flags.data));
  }
  // Ignored also before there is a snapshot, and while the server ends.
  process.on("SIGHUP", ignore);
  try {
    const isFirst = await hasNothing(flags, signed);
    return await serveUntilStopped(toServeOptions(flags), {
      log,
      isEmpty: isFirst,
      open: (signal) => openServed(flags, log, signed, { isFirst, signal }),
      onListening: (url, active) => say(...(active ? greet(active, url) : describeWait(flags, url)), ...settings),
      onFirst: (active) => say(`now serving ${active.snapshot.head.version}`),
    });
  } finally {
    process.off("SIGHUP", ignore);
    // A login call that the upstream has not answered yet would delay the end.
    if (import.meta.main) setImmediate(() => process.exit());
  }
});

const ignore = () => {};

/** Tells whether the folder has no night yet that may be served, and one is waited for. Throws a Failure for usage if none can come. */
async function hasNothing(flags: ServeFlags, signed: SignedNights | undefined): Promise<boolean> {
  const { data, follow } = flags;
  if (flags.snapshot !== undefined) {
    if (!follow) return false;
    throw new Failure(EXIT.usage, "--follow: is for a folder, and --snapshot names a file", "leave one out");
  }
  const version = readPointer(data)?.version;
  if (version === undefined) {
    // A missing folder is a mistake. A folder that has only parts of nights needs a decision: no part becomes the latest by itself.
    if (!follow && (!existsSync(data) || listVersions(data).length > 0)) latestFile(data);
    return true;
  }
  const verdict = follow && (await signed?.prove(version));
  if (!(verdict instanceof Failure)) return false;
  // A night in hand that is not proved is fetched again before anything is served.
  complain(`${verdict.message}; ${version} is not served`);
  return true;
}

/** Opens the snapshot to serve. `isFirst`: the folder has none, and the first night is fetched or waited for. */
async function openServed(
  flags: ServeFlags,
  log: ServerLog,
  signed: SignedNights | undefined,
  first: { isFirst: boolean; signal: AbortSignal },
): Promise<Served> {
  const { data, follow: source } = flags;
  const followed =
    source &&
    (await import("./cli/following.ts").then(({ startFollowing }) =>
      startFollowing(source, flags, log, signed, first),
    ));
  try {
    if (first.isFirst && !followed) await untilPublished(data, first.signal);
    if (signed) await requireSignedLatest(data, signed);
    const active = openActive(flags);
    const announce = createAnnouncer(active, log, () => followed?.hurry());
    const follow = () => {
      const prove = signed && createProver({ data, signed, active, log, onProved: () => announce(active) });
      const tell = () => {
        announce(active);
        void prove?.();
      };
      followed?.watch((state) => {
        active.setSource(state);
        tell();
      });
      void prove?.();
      return flags.snapshot === undefined ? followData(data, active, tell, signed) : undefined;
    };
    const close = async () => followed?.[Symbol.asyncDispose]();
    return { active, proved: signed, follow, hurry: followed?.hurry, [Symbol.asyncDispose]: close };
  } catch (error) {
    await followed?.[Symbol.asyncDispose]();
    throw error;
  }
}

/** Opens the nights that may be served with `--key`; undefined without it. */
function openSigned({ data, snapshot, key }: ServeFlags): SignedNights | undefined {
  if (!key) return undefined;
  if (snapshot !== undefined)
    throw new Failure(EXIT.usage, "--key: is for the nights of a folder, and --snapshot names a file", "leave one out");
  return createSignedNights(data, key.keys);
}

/** Rejects with a Failure for usage if the latest night is not proved. */
async function requireSignedLatest(data: string, signed: SignedNights) {
  const version = readPointer(data)?.version;
  const verdict = version === undefined ? undefined : await signed.prove(version);
  if (verdict instanceof Failure) throw verdict;
}

function openActive({ data, snapshot, ...flags }: ServeFlags): ActiveSnapshot {
  const cache = createCache(flags.cache * 1024 * 1024);
  if (snapshot === undefined) return openLatest(data, { cache });
  return createActiveSnapshot({
    cache,
    snapshot: openSnapshot(snapshot, { cacheBytes: cache.sqlitePageBytes.served }),
  });
}

async function answerOnce(flags: ServeFlags, path: string, log: ServerLog, signed: SignedNights | undefined) {
  const { data, snapshot = latestFile(data) } = flags;
  if (signed) await requireSignedLatest(data, signed);
  const active = createActiveSnapshot({ snapshot: openSnapshot(snapshot) });
  const options = toServeOptions(flags);
  const auth = createAuth(options, log);
  const admin = createAdminRoutes({ status: active });
  const mirror = createMirror({
    data,
    active,
    proved: signed,
    auth,
    admin,
    publicUrl: options.publicUrl,
    pages: options.pages,
    onInternalError: logInternalError.bind(undefined, log),
  });
  const response = await mirror.app.request(path);
  const isJson = response.headers.get("content-type")?.startsWith("application/json");
  io().stdout.write(`${(isJson ? sanitizeJson : sanitizeLines)(await response.text())}\n`);
  mirror.close();
  log.flush();
  return response.ok ? EXIT.done : EXIT.internal;
}

function toServeOptions(flags: ServeFlags): ServeOptions {
  return {
    data: flags.data,
    host: flags.host,
    port: flags.port,
    upstream: flags.upstream?.[0],
    authRate: flags.authRate,
    authTimeoutMs: flags.authTimeout * 1000,
    trustProxy: flags.trustProxy,
    maxAgeMs: flags.maxAge === undefined ? undefined : flags.maxAge * 3_600_000,
    maxAgeOf: flags.maxAgeOf,
    requestTimeoutMs: flags.requestTimeout * 1000,
    graceMs: flags.grace * 1000,
    publicUrl: flags.publicUrl,
    pages: flags.pages ? pagesOnDemand(flags) : undefined,
  };
}

function greet({ snapshot: { head } }: ActiveSnapshot, url: string): string[] {
  const warning = isSample(head) ? ["  its numbers are made up: a sample to try things on"] : [];
  return [`serving ${head.version} on ${url}, stop with Ctrl-C`, ...warning];
}

/** Describes the wait; the first line says how the first night will come. */
const describeWait = ({ data, follow }: ServeFlags, url: string): string[] => [
  follow
    ? `fetching the first night from ${redactUrl(follow)}; answering 503 until then on ${url}, stop with Ctrl-C`
    : `no night in ${data} yet: crawl, pull one, or start with --follow; answering 503 until then on ${url}, stop with Ctrl-C`,
];

/** Makes the announcer, with one line for each change. */
function createAnnouncer(active: ActiveSnapshot, log: ServerLog, onWithheld: () => void) {
  let said: string | undefined;
  let isWithheld = false;
  let version = active.snapshot.head.version;
  return ({ snapshot: { head }, problem, withheld }: ActiveSnapshot) => {
    if (withheld && !isWithheld) {
      log.error?.("snapshot-withheld", { version: head.version, problem });
      onWithheld();
    }
    isWithheld = withheld;
    if (head.version !== version) say(`now serving ${head.version}`);
    if (problem !== undefined && problem !== said && !withheld)
      log.error?.("snapshot-refused", { serving: head.version, problem });
    version = head.version;
    said = problem;
  };
}

if (import.meta.main) await runMain(main);
