import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { request } from "undici";

// An upstream that answers at once: what it was asked before, it has ready. Started with the URL of a real one; tells its
// parent where it listens, and when asked, which paths it has.
const [, , upstream = ""] = process.argv;
const ready = new Map<string, Buffer>();

async function fetchAnswer(path: string): Promise<Buffer> {
  const { statusCode, body } = await request(upstream + path);
  const answer = Buffer.from(await body.arrayBuffer());
  if (statusCode === 200) ready.set(path, answer);
  return answer;
}

const server = createServer(async ({ url = "/" }, response) => {
  const answer = ready.get(url) ?? (await fetchAnswer(url));
  response.writeHead(200, { "content-type": "application/json", "content-length": answer.length });
  response.end(answer);
});

server.listen(0, "127.0.0.1", () => process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
process.on("message", () => process.send?.([...ready.keys()]));
process.on("disconnect", () => process.exit());
