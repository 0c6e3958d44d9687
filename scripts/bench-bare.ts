import { createServer } from "node:http";
import { request } from "undici";

// The yardstick: a server that sends one answer of the mirror, status, headers and bytes, to whoever asks for anything.
const HOP = ["date", "connection", "keep-alive"];
const answer = await request(process.argv[2] ?? "");
const headers = Object.fromEntries(Object.entries(answer.headers).filter(([name]) => !HOP.includes(name)));
const body = Buffer.from(await answer.body.arrayBuffer());

const server = createServer((_, response) => {
  response.writeHead(answer.statusCode, headers as Record<string, string>);
  response.end(body);
});
server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as { port: number };
  process.stdout.write(`bare on http://127.0.0.1:${port}\n`);
});
