import { createServer } from "node:http";
import { readAnswers } from "./load/answers.ts";

// The yardstick: a server that sends the same bytes and headers as the mirror to whoever asks for the same. `bare
// FOLDER`, where its answers were laid.
const answers = new Map(
  readAnswers(process.argv[2] ?? "").map(({ path, headers, body }) => [
    path,
    // The form that node writes fastest; a slower yardstick would flatter.
    { headers: Object.entries(headers).flat(), body },
  ]),
);

const server = createServer(({ url = "" }, response) => {
  const answer = answers.get(url);
  response.writeHead(answer ? 200 : 404, answer?.headers);
  response.end(answer?.body);
});
server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as { port: number };
  process.stdout.write(`bare on http://127.0.0.1:${port}\n`);
});
