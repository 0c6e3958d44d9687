import { readFileSync } from "node:fs";
import { connect, type Server } from "node:net";
import { join } from "node:path";
import { createServer } from "node:tls";

const inFolder = (name: string) => join(import.meta.dirname, name);

/** Who trusts the tests' own authority. */
export const AUTHORITY = { NODE_EXTRA_CA_CERTS: inFolder("authority.pem") };

/** The server at this URL, with TLS before it and a certificate of the tests' own authority. */
export async function startTls(url: string) {
  const certificate = { key: readFileSync(inFolder("localhost.key")), cert: readFileSync(inFolder("localhost.pem")) };
  const server: Server = createServer(certificate, (socket) => {
    const onward = connect(Number(new URL(url).port), "127.0.0.1");
    for (const [from, to] of [
      [socket, onward],
      [onward, socket],
    ] as const)
      from.on("error", () => to.destroy()).pipe(to);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  return { port, url: `https://127.0.0.1:${port}`, [Symbol.dispose]: () => void server.close() };
}
