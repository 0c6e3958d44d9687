import type { RequestListener } from "node:http";
import type { H3, H3Event } from "h3";
import { createApp } from "./app.ts";
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
  app: H3;
  listener: RequestListener;
  close(): void;
}

export function createMirror({ data, shelf, auth, onFault, operation, ...limits }: MirrorOptions): Mirror {
  const versions = createVersions({ data, ...limits });
  const app = createApp({ shelf, versions, auth, onFault, ...(operation && { operation }) });
  const close = () => {
    versions.close();
    shelf.close();
  };
  return { shelf, versions, app, listener: createListener(app, shelf), close };
}
