import { connect } from "node:net";
import { expect, test } from "vitest";
import { createAdmission } from "../../src/server/http/admission.ts";
import { listen } from "../../src/server/http/http.ts";
import { LIMITS } from "../../src/server/http/limits.ts";
import { errorResponse, unknownPath } from "../../src/server/response/http-response.ts";

const ANSWER_MS = 4;
const CROWD = 80;

test("a crowd whose answers take long does not keep who comes after it waiting to be let in", async () => {
  const admission = createAdmission();
  let made = 0;
  const server = await listen(
    async ({ url }, exchange) => {
      if (url !== "/health") {
        await admission.admit(exchange);
        const end = performance.now() + ANSWER_MS;
        while (performance.now() < end);
        made += 1;
      }
      exchange.end(String(made));
    },
    { port: 0, host: "127.0.0.1", toResponse: errorResponse, refuse: unknownPath },
  );
  const port = Number(new URL(server.url).port);
  const crowd = Array.from({ length: CROWD }, () => connect(port, "127.0.0.1").on("error", () => {}));
  for (const socket of crowd) socket.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n".repeat(LIMITS.openRequests));
  const before = Number(await (await fetch(`${server.url}/health`)).text());
  for (const socket of crowd) socket.destroy();
  await server.close();
  // Some 20 are made meanwhile; of a whole turn for each of the crowd it would be 300.
  expect(before).toBeLessThan(CROWD);
});
