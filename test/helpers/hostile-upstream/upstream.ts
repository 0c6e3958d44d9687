import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { request } from "undici";
import { startSample } from "../../../src/sample/service/server.ts";
import type { Exchange, Mode } from "./mode.ts";

/** A hostile upstream over sockets of its own, in front of a sample of a few heroes. */
export async function startHostile() {
  const sample = await startSample({ heroes: 3 });
  const honest = new Map<string, Promise<Buffer>>();
  const state = { mode: undefined as Mode | undefined, asked: new Map<string, number>(), canary: 0, cookies: 0 };
  const sockets = new Set<Socket>();

  const bodyOf = (path: string) => {
    const known =
      honest.get(path) ?? request(sample.url + path).then(async ({ body }) => Buffer.from(await body.arrayBuffer()));
    honest.set(path, known);
    return known;
  };

  async function answer(socket: Socket, head: string) {
    const path = head.split(" ")[1] ?? "/";
    if (/^cookie:/im.test(head)) state.cookies += 1;
    const nth = (state.asked.get(path) ?? 0) + 1;
    state.asked.set(path, nth);
    const send: Exchange["send"] = (body, headers = {}, status = "200 OK") => {
      const bytes = Buffer.from(body);
      const all = { "content-type": "application/json", "content-length": String(bytes.length), ...headers };
      const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
      socket.write(Buffer.concat([Buffer.from(`HTTP/1.1 ${status}\r\n${lines.join("")}\r\n`, "latin1"), bytes]));
    };
    // Of a list that goes on for ever each page is made of the first.
    const body = await bodyOf(path.replace(/index=\d+/, "index=1"));
    const exchange: Exchange = { path, nth, honest: body, socket, self, canary, send, pass: () => send(body) };
    const { mode } = state;
    if (mode?.at.test(path)) mode.act(exchange);
    else exchange.pass();
  }

  const server = createServer((socket) => {
    let text = "";
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
      for (let end = text.indexOf("\r\n\r\n"); end >= 0; end = text.indexOf("\r\n\r\n")) {
        const head = text.slice(0, end);
        text = text.slice(end + 4);
        void answer(socket, head);
      }
    });
  });
  const trap = createServer((socket) => {
    state.canary += 1;
    socket.destroy();
  });
  const [self, canary] = [await listen(server), await listen(trap)];

  return {
    url: self,
    state,
    set(mode: Mode | undefined) {
      for (const socket of sockets) socket.destroy();
      Object.assign(state, { mode, asked: new Map(), canary: 0, cookies: 0 });
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      trap.close();
      await sample.close();
    },
  };
}

async function listen(server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
