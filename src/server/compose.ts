import type { H3 } from "h3";
import { toNodeHandler } from "h3/node";
import { createAdmissions } from "./http/admission.ts";
import type { Exchange } from "./http/exchange.ts";
import { type RequestHandler, writeResponse } from "./http/http.ts";
import type { ActiveSnapshot } from "./reload/active-snapshot.ts";
import { createVersions, type Versions, type VersionsOptions } from "./reload/versions.ts";
import type { RequestHead } from "./response/http-response.ts";
import { type AppDeps, createApp } from "./routes/app.ts";

export type MirrorOptions = Omit<AppDeps, "versions" | "admissions"> & Omit<VersionsOptions, "cache">;

/** All that answers, put together. */
export interface Mirror {
  active: ActiveSnapshot;
  app: H3;
  versions: Versions;
  /** What is asked for again is answered with the bytes that were sent before; everything else by the app. */
  answer: RequestHandler;
  close(): void;
}

export function createMirror({ data, maxOpen, idleMs, verifyFile, ...deps }: MirrorOptions): Mirror {
  const { active } = deps;
  const { cache } = active;
  const versions = createVersions({ data, cache, maxOpen, idleMs, verifyFile });
  const admissions = createAdmissions();
  const app = createApp({ ...deps, versions, admissions });
  const handle = toNodeHandler(app);

  return {
    active,
    app,
    versions,
    answer(request, exchange) {
      const { method = "", url = "", headers } = request;
      const isRead = method === "GET" || method === "HEAD";
      const known = isRead && cache.getResponse(url, { method, headers: headers as RequestHead["headers"] });
      if (!known) return void handle(request, exchange);
      exchange.route = known.route;
      writeResponse(exchange, known.response);
      holdUnsent(exchange);
    },
    close() {
      versions.close();
      active.close();
    },
  };

  /** Most answers are with the system at once. */
  function holdUnsent(exchange: Exchange) {
    if (exchange.writableLength > 0) admissions.answer.trackUnsent(exchange, exchange.writableLength);
  }
}
