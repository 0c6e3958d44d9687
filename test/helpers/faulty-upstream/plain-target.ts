import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Numbers whose digits no number type keeps. */
export const RECORDS = [
  '{"data":{"hero":{"data":{"name":"Miya"}},"hero_id":1},"rate":0.5000,"big":12345678901234567890}',
  '{"data":{"hero":{"data":{"name":"Bálmond"}},"hero_id":2},"rate":1.0,"big":1e2}',
  '{"data":{"hero":{"data":{"name":"沙貝爾"}},"hero_id":3},"rate":-0.0,"big":3}',
];
export const ONE =
  '{"data":{"main_hero":{"data":{"name":"Miya"}},"main_heroid":1,"bigrank":"101","match_type":"0","main_hero_win_rate":0.50}}';

export const list = (records: readonly string[], total = records.length) =>
  `{"code":0,"message":"OK","data":{"records":[${records.join(",")}],"total":${total}}}`;

const page = (name: string) => list([`{"data":{"hero_id":${JSON.stringify(name)}}}`]);

/** Bodies by path and query. */
export const BODIES: Record<string, string> = {
  "/list": list(RECORDS),
  "/one": list([ONE]),
  "/none": list([], 0),
  "/list?size=1&index=1": page("first"),
  "/list?size=1&index=2": page("second"),
};

/** Answers plainly, so that a test knows what must come out at the other end. */
export async function startPlainTarget() {
  const waiting: ServerResponse[] = [];
  const seen = { requests: 0, acceptEncoding: undefined as unknown };

  async function respond(request: IncomingMessage, response: ServerResponse) {
    const url = request.url ?? "";
    seen.requests += 1;
    seen.acceptEncoding = request.headers["accept-encoding"];
    response.sendDate = false;
    const body = BODIES[url];
    if (body !== undefined) {
      const headers = { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) };
      response.writeHead(200, headers).end(body);
    } else if (url === "/odd") {
      const headers = ["Set-Cookie", "a=1", "X-Name", "caf\u00e9", "Set-Cookie", "b=2", "Content-Length", "4"];
      response.writeHead(418, "Short and stout", headers).end(Buffer.of(0, 255, 13, 10));
    } else if (url === "/chunked") {
      response.writeHead(200, { "content-type": "application/json" });
      response.write("first, ");
      response.end("second");
    } else if (url === "/empty") {
      response.writeHead(204).end();
    } else if (url === "/echo") {
      response.writeHead(200, { "x-authorization": request.headers.authorization ?? "none" });
      for await (const chunk of request) response.write(chunk);
      response.end();
    } else if (url.startsWith("/gate?")) {
      // Opens when so many stand before it.
      waiting.push(response);
      if (waiting.length < Number(url.split("?")[1])) return;
      for (const held of waiting.splice(0)) held.writeHead(200).end("open");
    } else {
      response.writeHead(404, { "content-type": "application/json" }).end('{"detail":"Not Found"}');
    }
  }

  const server = createServer((request, response) => void respond(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
