import { createServer, type RequestListener, request } from "node:http";
import { type AddressInfo, connect } from "node:net";

export interface ProxyOptions {
  /** Where the names lead that it knows; a name without a place is one that it cannot reach. */
  hosts?: Record<string, string>;
  /** `user:password` that it wants. */
  credentials?: string;
  /** The status that it refuses everything with. */
  refuses?: number;
  /** Accepts connections and says nothing. */
  silent?: boolean;
}

/** A proxy as RFC 9110 has it: passes http on, opens tunnels for `CONNECT`, and remembers what it was asked. */
export async function startHttpProxy({ hosts = {}, credentials, refuses, silent }: ProxyOptions) {
  /** `GET http://…` or `CONNECT host:port`, each as it came. */
  const asked: string[] = [];
  let [tunnels, mostTunnels, mostRequests, requests] = [0, 0, 0, 0];
  const wanted = credentials && `Basic ${Buffer.from(credentials).toString("base64")}`;
  const refusalOf = (sent: string | undefined) => refuses ?? (wanted && sent !== wanted ? 407 : undefined);

  const passOn: RequestListener = (req, res) => {
    asked.push(`${req.method} ${req.url}`);
    if (silent) return;
    const refusal = refusalOf(req.headers["proxy-authorization"]);
    if (refusal) return void res.writeHead(refusal, { "content-type": "text/html" }).end("<h1>No</h1>");
    const url = new URL(req.url ?? "");
    const place = hosts[url.host];
    if (place === undefined) return void res.writeHead(502).end("no such host");
    requests += 1;
    mostRequests = Math.max(mostRequests, requests);
    res.once("close", () => {
      requests -= 1;
    });
    const { "proxy-authorization": _, ...headers } = req.headers;
    const options = { method: req.method ?? "GET", headers };
    const onward = request(place + url.pathname + url.search, options, (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(res);
    });
    onward.on("error", () => res.destroy());
    req.pipe(onward);
  };

  const server = createServer(passOn);
  server.on("connect", (req, socket) => {
    asked.push(`CONNECT ${req.url}`);
    socket.on("error", () => {});
    if (silent) return;
    const refusal = refusalOf(req.headers["proxy-authorization"]);
    const place = hosts[req.url ?? ""];
    if (refusal || place === undefined) return void socket.end(`HTTP/1.1 ${refusal ?? 502} No\r\n\r\n`);
    const { hostname, port } = new URL(place);
    const onward = connect(Number(port), hostname, () => {
      tunnels += 1;
      mostTunnels = Math.max(mostTunnels, tunnels);
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      onward.pipe(socket).pipe(onward);
    });
    onward.on("error", () => socket.destroy());
    onward.once("close", () => {
      tunnels -= 1;
      socket.destroy();
    });
    socket.once("close", () => onward.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    /** The same with a user name and password. */
    withCredentials: (pair: string) => `http://${pair}@127.0.0.1:${port}`,
    asked,
    most: () => ({ tunnels: mostTunnels, requests: mostRequests }),
    [Symbol.dispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}
