import type { RequestListener } from "node:http";
import type { H3, H3Event } from "h3";
import type { AuthProxy } from "./auth.ts";
import type { Check } from "./check.ts";
import { createListener } from "./listener.ts";
import type { Operation } from "./operation.ts";
import type { Shelf } from "./shelf.ts";
import { createVersions, type Versions } from "./versions.ts";

export interface MirrorOptions {
  data: string;
  shelf: Shelf;
  auth: AuthProxy;
  operation?: Operation;
  onFault: (error: unknown, event: H3Event) => void;
  maxOpen?: number;
  check?: Check;
}

/** All that answers, put together. */
export interface Mirror {
  shelf: Shelf;
  versions: Versions;
  listener: RequestListener;
  /** The app, loaded when it is first needed. */
  app(): Promise<H3>;
  /** Gets ready what the first answers did without. */
  warm(): Promise<void>;
  close(): void;
}

export function createMirror({ data, shelf, auth, onFault, operation, ...limits }: MirrorOptions): Mirror {
  const versions = createVersions({ data, ...limits });
  let loading: Promise<{ app: H3; handle: RequestListener }> | undefined;
  const load = () => {
    loading ??= import("./app.ts").then(({ createHandledApp }) =>
      createHandledApp({ shelf, versions, auth, onFault, ...(operation && { operation }) }),
    );
    return loading;
  };
  return {
    shelf,
    versions,
    listener: createListener(shelf, async () => (await load()).handle),
    app: async () => (await load()).app,
    async warm() {
      await load();
      shelf.snapshot.warm();
    },
    close() {
      versions.close();
      shelf.close();
    },
  };
}
