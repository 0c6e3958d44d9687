import { join } from "node:path";
import { Agent, request } from "undici";
import { startNginx } from "../../scripts/bench/nginx.ts";
import { temporaryFolder } from "./run.ts";

/** Who looks after the copies: nginx by what the mirror says, or by an operator's word that they live one second. */
export type Site = "faithful" | "brief";

type Headers = Record<string, string>;

export interface Proxied {
  status: number;
  /** What nginx found in its cache; empty where it did not look. */
  cache: string;
  headers: Headers;
  bytes: Buffer;
}

/** A real nginx with a cache of its own before the mirror at this URL, on sockets in a folder that goes with it. */
export async function startCache(mirror: string) {
  const folder = temporaryFolder();
  const socketOf = (site: Site) => join(folder.path, `${site}.sock`);
  const http = `
    proxy_cache_path cache keys_zone=answers:1m;
    proxy_cache answers;
    proxy_cache_revalidate on;
    proxy_http_version 1.1;
    proxy_set_header Connection "";
    add_header x-cache $upstream_cache_status always;
    server {
      listen unix:${socketOf("faithful")};
      proxy_cache_key faithful$request_uri;
      location / { proxy_pass ${mirror}; }
    }
    server {
      listen unix:${socketOf("brief")};
      proxy_cache_key brief$request_uri;
      proxy_ignore_headers Cache-Control;
      proxy_cache_valid 200 1s;
      proxy_cache_use_stale error;
      location / { proxy_pass ${mirror}; }
    }`;
  const nginx = await startNginx(folder.path, http, { path: socketOf("faithful") });
  const agents = {
    faithful: new Agent({ connect: { socketPath: socketOf("faithful") } }),
    brief: new Agent({ connect: { socketPath: socketOf("brief") } }),
  };

  async function ask(
    path: string,
    headers: Headers = {},
    { site = "faithful", method = "GET" }: { site?: Site; method?: "GET" | "HEAD" } = {},
  ): Promise<Proxied> {
    const dispatcher = agents[site];
    const answer = await request(`http://mirror.example${path}`, { dispatcher, method, headers });
    const got = answer.headers as Headers;
    const bytes = Buffer.from(await answer.body.arrayBuffer());
    return { status: answer.statusCode, cache: got["x-cache"] ?? "", headers: got, bytes };
  }

  return {
    ask,
    async [Symbol.asyncDispose]() {
      await Promise.all(Object.values(agents).map((agent) => agent.close()));
      await nginx.stop();
      folder[Symbol.dispose]();
    },
  };
}
