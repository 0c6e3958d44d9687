import { createServer, type OutgoingHttpHeaders } from "node:http";
import { Agent, request } from "undici";

// The yardstick: a server that sends the same bytes as the mirror to whoever asks for the same. `bench-bare MIRROR`, the
// paths as JSON on stdin; their answers are fetched before the first is sent.
const HOP = ["date", "connection", "keep-alive"];
const dispatcher = new Agent({ connections: 1 });
const answers = new Map<string, { headers: OutgoingHttpHeaders; body: Buffer }>();
const chunks: Buffer[] = [];
for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
for (const path of JSON.parse(Buffer.concat(chunks).toString("utf8")) as string[]) {
  const answer = await request((process.argv[2] ?? "") + path, { dispatcher });
  const headers = Object.fromEntries(Object.entries(answer.headers).filter(([name]) => !HOP.includes(name)));
  answers.set(path, { headers, body: Buffer.from(await answer.body.arrayBuffer()) });
}
await dispatcher.close();

const server = createServer(({ url = "" }, response) => {
  const answer = answers.get(url);
  response.writeHead(answer ? 200 : 404, answer?.headers);
  response.end(answer?.body);
});
server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as { port: number };
  process.stdout.write(`bare on http://127.0.0.1:${port}\n`);
});
