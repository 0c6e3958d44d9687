import { connect, type Socket } from "node:net";

const many = (count: number, text: string) => text.repeat(count);
const request = (line: string, headers = "") => `${line} HTTP/1.1\r\nhost: x\r\n${headers}`;
const get = (path: string, headers = "") => request(`GET ${path}`, `${headers}\r\n`);
const login = (headers: string) => request("POST /api/user/auth/login", `${headers}\r\n`);

const SMALL = many(985, "a: bcdefg\r\n");
const LARGE = many(28, `a: ${many(495, "b")}\r\n`);
const MISSING = "content-length: 9\r\n";

/**
 * Hostile crowds, by a description of their connections: the bytes that each connection sends to a mirror that serves this version.
 */
export const CROWDS: Readonly<Record<string, (version: string) => string>> = {
  "that send nothing": () => "",
  "with half a head of 985 small headers": () => request("GET /", SMALL),
  "with half a head of 95 small headers": () => request("GET /", many(95, "a: bcdefg\r\n")),
  "with half a head of 28 large headers": () => request("GET /", LARGE),
  "with half a head of one header": () => request("GET /", `a: ${many(16_000, "b")}`),
  "with 985 small headers, without the body": () => get("/api/heroes?size=1", MISSING + SMALL),
  "with 95 small headers, without the body": () => get("/api/heroes?size=1", MISSING + many(95, "a: bcdefg\r\n")),
  "with 28 large headers, without the body": () => get("/api/heroes?size=1", MISSING + LARGE),
  "with a login of 28 large headers, without its body": () => login(MISSING + LARGE),
  "with a login without its chunks": () => login("transfer-encoding: chunked\r\n"),
  "with a thousand requests at once": () => many(1000, get("/api/heroes?size=1")),
  "that do not read the file": (version) => get(`/snapshots/${version}.sqlite`),
  "that do not read large lists": () => many(8, get("/api/academy/equipment/expanded?size=2000")),
  "that want a tunnel": () => request("CONNECT x:443", `${LARGE}\r\n`),
  "that want another protocol": () => get("/", `upgrade: x\r\nconnection: upgrade\r\n${LARGE}`),
  "that send no HTTP": () => many(16_000, "x"),
};

/** Connections of a crowd, and of them those that are opened at once. */
const [CROWD, AT_ONCE] = [5000, 100];

/**
 * Opens the connections of a crowd, each of which sends what the system takes of the bytes, and reads nothing. Yields after each hundred
 * all that are open.
 */
export async function* gather(url: string, bytes: string): AsyncGenerator<readonly Socket[]> {
  const text = Buffer.from(bytes, "latin1");
  const sockets: Socket[] = [];
  while (sockets.length < CROWD) {
    sockets.push(...(await Promise.all(Array.from({ length: AT_ONCE }, () => open(url, text)))));
    yield sockets;
  }
}

const open = (url: string, bytes: Buffer) =>
  new Promise<Socket>((resolve) => {
    const { port, hostname } = new URL(url);
    const socket = connect({ port: Number(port), host: hostname }).pause();
    const done = () => resolve(socket);
    socket.on("error", done).once("close", done);
    socket.once("connect", () => {
      if (bytes.length > 0) socket.write(bytes);
      setImmediate(done);
    });
  });
