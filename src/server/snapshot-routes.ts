import { getRouterParam, type H3, type H3Event } from "h3";
import { addApiRoutes, toAsked } from "./api-routes.ts";
import { FOR_EVER } from "./edition.ts";
import { replyFile, type ServedFile } from "./files.ts";
import { codingFor, describeAge, finish, replyPage, withForm } from "./page.ts";
import type { Guard, Origin, Reply } from "./reply.ts";
import { LATEST_ROUTE, LIST_ROUTE, PINNED_ROUTE, unmatched } from "./routes.ts";
import type { Shelf } from "./shelf.ts";
import type { Published, Versions } from "./versions.ts";

export interface SnapshotTools {
  shelf: Shelf;
  versions: Versions;
  guarded: Guard;
}

/** The published snapshots: their list, manifests and files, and all routes of `/api` from one of them. */
export function addSnapshotRoutes(app: H3, { shelf, versions, guarded }: SnapshotTools) {
  const version = (event: H3Event) => getRouterParam(event, "version") ?? "";
  const text = (event: H3Event, body: string | Buffer) => replyText(String(body), shelf.current, event);

  app.get(LIST_ROUTE, (event) => guarded(event, async () => text(event, await describeList(versions, shelf))));
  app.get(LATEST_ROUTE, (event) =>
    guarded(event, async () => text(event, format((await versions.find(shelf.snapshot.head.version)).essentials))),
  );
  app.get("/snapshots/:name", (event) => {
    const [, name = "", kind] = /^(.*)\.(json|sqlite)$/.exec(getRouterParam(event, "name") ?? "") ?? [];
    return guarded(event, async () => {
      if (kind === "json") return text(event, (await versions.find(name)).manifest);
      if (kind === "sqlite") return replyFile(toServedFile(await versions.find(name)), toAsked(event));
      throw unmatched(event.req.method, event.url.pathname).error;
    });
  });
  addApiRoutes(app, PINNED_ROUTE.replace("{version}", ":version"), (event) => versions.edition(version(event)), {
    cache: shelf.cache,
    guarded,
  });
}

const format = (json: object) => `${JSON.stringify(json, null, 2)}\n`;

async function describeList(versions: Versions, shelf: Shelf): Promise<string> {
  const latest = shelf.snapshot.head.version;
  const records = (await versions.list()).map((essentials) => ({
    ...essentials,
    latest: essentials.version === latest,
    urls: {
      file: `/snapshots/${essentials.version}.sqlite`,
      manifest: `/snapshots/${essentials.version}.json`,
      api: `/snapshots/${essentials.version}/api/`,
    },
  }));
  return JSON.stringify({ code: 0, message: "OK", data: { records, total: records.length } });
}

/** A document that may change with the next publication. */
async function replyText(body: string, origin: Origin, event: H3Event): Promise<Reply> {
  const asked = toAsked(event);
  const page = finish(body, body);
  const coding = codingFor(page, asked);
  return replyPage(await withForm(page, coding), coding, origin, asked) as Reply;
}

function toServedFile({ file, essentials }: Published): ServedFile {
  const { version, started_at, sha256 } = essentials;
  const startedAt = Date.parse(started_at);
  return {
    path: file,
    tag: sha256,
    lastModified: new Date(startedAt).toUTCString(),
    cacheControl: FOR_EVER,
    about: () => describeAge(version, startedAt),
  };
}
