import type { RequestListener } from "node:http";
import type { H3, H3Event } from "h3";
import type { AuthProxy } from "./auth.ts";
import type { Check } from "./check.ts";
import { createListener } from "./listener.ts";
import type { Operation } from "./operation.ts";
import type { Shelf } from "./shelf.ts";
import type { Versions } from "./versions.ts";

export interface MirrorOptions {
  data: string;
  shelf: Shelf;
  auth: AuthProxy;
  /** Loaded with the app. */
  operation?: () => Promise<Operation>;
  onFault: (error: unknown, event: H3Event) => void;
  maxOpen?: number;
  check?: Check;
}

/** All that answers, put together. */
export interface Mirror {
  shelf: Shelf;
  listener: RequestListener;
  /** The app, loaded when it is first needed, and the published snapshots with it. */
  app(): Promise<H3>;
  versions(): Promise<Versions>;
  /** Gets ready what the first answers did without. */
  warm(): Promise<void>;
  close(): void;
}

export function createMirror({ data, shelf, auth, onFault, operation, ...limits }: MirrorOptions): Mirror {
  let versions: Versions | undefined;
  let loading: ReturnType<typeof make> | undefined;
  const load = () => {
    loading ??= make();
    return loading;
  };

  async function make() {
    const [{ createHandledApp }, { createVersions }] = await Promise.all([import("./app.ts"), import("./versions.ts")]);
    versions = createVersions({ data, ...limits });
    const deps = { shelf, versions, auth, onFault };
    return { ...createHandledApp(operation ? { ...deps, operation: await operation() } : deps), versions };
  }

  return {
    shelf,
    listener: createListener(shelf, async () => (await load()).handle),
    app: async () => (await load()).app,
    versions: async () => (await load()).versions,
    async warm() {
      await load();
      shelf.snapshot.warm();
    },
    close() {
      versions?.close();
      shelf.close();
    },
  };
}
