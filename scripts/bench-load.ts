import autocannon from "autocannon";

// Load, from a process of its own: `bench-load URL CONNECTIONS SECONDS`, the paths as JSON on stdin.
const [url = "", connections = "1", seconds = "1"] = process.argv.slice(2);
const chunks: Buffer[] = [];
for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
const paths = JSON.parse(Buffer.concat(chunks).toString("utf8")) as string[];

let client = 0;
const result = await autocannon({
  url,
  connections: Number(connections),
  duration: Number(seconds),
  // Each connection begins elsewhere, so that no two ask for the same soon after each other.
  setupClient(connection) {
    const start = Math.floor((client * paths.length) / Number(connections));
    client += 1;
    connection.setRequests([...paths.slice(start), ...paths.slice(0, start)].map((path) => ({ path })));
  },
});
const { requests, latency, non2xx, errors } = result;
process.stdout.write(`${JSON.stringify({ rate: requests.average, p99: latency.p99, failed: non2xx + errors })}\n`);
