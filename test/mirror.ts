import { createApp } from "../src/server/app.ts";
import { createAuthProxy } from "../src/server/auth.ts";
import { listen } from "../src/server/listen.ts";
import { createListener } from "../src/server/listener.ts";
import { createShelf } from "../src/server/shelf.ts";
import { openSnapshot } from "../src/snapshot/read.ts";

export interface Mirror {
  url: string;
  faults: unknown[];
  [Symbol.asyncDispose](): Promise<void>;
}

/** The mirror on a real socket. */
export async function startMirror(file: string, auth: Parameters<typeof createAuthProxy>[0] = {}): Promise<Mirror> {
  const snapshot = openSnapshot(file);
  const faults: unknown[] = [];
  const shelf = createShelf({ snapshot });
  const app = createApp({ shelf, auth: createAuthProxy(auth), onFault: (error) => void faults.push(error) });
  const server = await listen(createListener(app, shelf), { port: 0, host: "127.0.0.1" });
  return {
    url: server.url,
    faults,
    async [Symbol.asyncDispose]() {
      await server.close();
      snapshot.close();
    },
  };
}
