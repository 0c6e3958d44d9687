import { connect } from "node:net";
import { LITTLE } from "../../helpers/run.ts";
import { passOn, startServer } from "../../helpers/server.ts";

export const UPSTREAM = "http://upstream.example";
export const SECURE = "https://upstream.example";
export const MIRROR = "http://mirror.example";

const VARIABLES = ["http_proxy", "https_proxy", "no_proxy"].flatMap((name) => [name, name.toUpperCase()]);

/** Takes away what a test has set. */
export function forgetProxies() {
  for (const name of VARIABLES) delete process.env[name];
}

export const crawl = (upstream: string, data: string, ...more: string[]) => [
  ...["--upstream", upstream, "--data", data, "--rate", "5000", "--concurrency", "3", "--attempts", "1"],
  ...LITTLE,
  ...more,
];

export interface ProxyOptions {
  /** The URL behind each host name that the proxy knows. It reaches no other name. */
  hosts?: Record<string, string>;
  /** `user:password` that it wants. */
  credentials?: string;
  /** The status that it refuses everything with. */
  refuses?: number;
  /** Accepts connections and says nothing. */
  silent?: boolean;
}

/** A proxy as RFC 9110 has it: passes http on, opens tunnels for `CONNECT`, and remembers what it was asked. */
export async function startProxy({ hosts = {}, credentials, refuses, silent }: ProxyOptions) {
  /** `GET http://…` or `CONNECT host:port`, each as it came. */
  const asked: string[] = [];
  const most = { tunnels: 0, requests: 0 };
  let tunnels = 0;
  const wanted = credentials && `Basic ${Buffer.from(credentials).toString("base64")}`;
  const refusalOf = (sent: string | undefined) => refuses ?? (wanted && sent !== wanted ? 407 : undefined);
  const server = await startServer(
    (req, res, seen) => {
      asked.push(`${seen.method} ${seen.url}`);
      if (silent) return;
      const refusal = refusalOf(seen.headers["proxy-authorization"]);
      if (refusal) return res.writeHead(refusal, { "content-type": "text/html" }).end("<h1>No</h1>");
      const { host, pathname, search } = new URL(seen.url);
      const place = hosts[host];
      if (place === undefined) return res.writeHead(502).end("no such host");
      most.requests = Math.max(most.requests, seen.inFlight);
      return passOn(place)(req, res, { ...seen, url: pathname + search });
    },
    {
      tunnel({ method, url = "", headers }, socket) {
        asked.push(`${method} ${url}`);
        if (silent) return;
        const refusal = refusalOf(headers["proxy-authorization"]);
        const place = hosts[url];
        if (refusal || place === undefined) return void socket.end(`HTTP/1.1 ${refusal ?? 502} No\r\n\r\n`);
        const { hostname, port } = new URL(place);
        const onward = connect(Number(port), hostname, () => {
          tunnels += 1;
          most.tunnels = Math.max(most.tunnels, tunnels);
          socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
          onward.pipe(socket).pipe(onward);
          onward.once("close", () => {
            tunnels -= 1;
          });
        });
        onward.on("error", () => {}).once("close", () => socket.destroy());
        socket.once("close", () => onward.destroy());
      },
    },
  );
  const { url } = server;
  return {
    url,
    /** The same with a user name and password. */
    withCredentials: (pair: string) => url.replace("//", `//${pair}@`),
    asked,
    most,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
