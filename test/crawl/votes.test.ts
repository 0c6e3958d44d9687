import { expect, test } from "vitest";
import { runCommand, temporaryFolder } from "../helpers/run.ts";
import { startUpstream } from "../helpers/upstream/upstream.ts";

/** A vote of the sample, whose numbers have seven digits, and what is sent in its place. */
const SHORT = "3275335";
const LONG = "3275335012345";

test("a vote whose number has more digits is asked for, and served by it", async () => {
  using folder = temporaryFolder();
  const name = (body: string) => body.replaceAll(new RegExp(`\\b${SHORT}\\b`, "g"), LONG);
  await using upstream = await startUpstream(
    3,
    (request, response) => {
      const path = request.url ?? "";
      if (!path.includes(LONG)) return false;
      void fetch(upstream.sample.url + path.replace(LONG, SHORT)).then(async (answer) => {
        response.writeHead(answer.status, { "content-type": "application/json" }).end(name(await answer.text()));
      });
      return true;
    },
    (path, body) => (/ratings\?/.test(path) ? name(body) : body),
  );
  const options = ["--upstream", upstream.url, "--data", folder.path, "--rate", "5000"];
  const { code, stderr, events } = await runCommand("crawl", [...options, "--endpoints", "ratings,rating"]);
  expect([code, stderr]).toEqual([0, ""]);
  expect(events.find(({ event }) => event === "misfit")).toEqual({ event: "misfit", misfits: [] });
  const file = String(events.find(({ event }) => event === "published")?.file);
  const get = (path: string) => runCommand("serve", ["--snapshot", file, "--get", path]);
  const vote = await get(`/api/academy/heroes/ratings/${LONG}?lang=ja`);
  expect(JSON.parse(vote.stdout)).toMatchObject({ code: 0, data: { subject: { id: LONG } } });
  // Seven digits are what all votes had so far, and this one is none of them.
  expect(JSON.parse((await get(`/api/academy/heroes/ratings/${SHORT}`)).stdout)).toMatchObject({
    error: { code: "RESOURCE_NOT_FOUND" },
  });
  expect(JSON.parse((await get(`/api/academy/heroes/ratings/${SHORT}1`)).stdout)).toMatchObject({
    error: { code: "VALIDATION_FAILED" },
  });
});
