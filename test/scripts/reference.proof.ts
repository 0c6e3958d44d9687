/** The samples on the page of an endpoint are run: by curl, Python and Node. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { createPages } from "../../src/extra/pages/pages.ts";
import { attributeOf, elementsOf } from "../helpers/html.ts";
import { startFollowing } from "../helpers/mirror.ts";
import { openPage } from "../helpers/people.ts";
import { world } from "../helpers/world.ts";

const mirror = await startFollowing(world.data, { pages: createPages({ pictures: false }) });
afterAll(() => mirror[Symbol.asyncDispose]());

/** Each with the words after which it reads a program. */
const PROGRAMS = {
  curl: ["sh", "-c"],
  Python: ["python3", "-c"],
  TypeScript: [process.execPath, "--input-type=module-typescript", "-e"],
} as const;

test.for(["rank", "stats", "ratings", "win-rate-calculator"])("%s can be asked as its samples ask", async (dataset) => {
  const samples = elementsOf(await openPage(mirror, `/docs?endpoint=${dataset}`), "pre");
  for (const [label, [program, ...words]] of Object.entries(PROGRAMS)) {
    const sample = samples.find((one) => attributeOf(one, "aria-label") === label)?.text ?? "";
    const text = sample.replaceAll("https://mirror.example", mirror.url);
    const { stdout } = await promisify(execFile)(program, [...words, text]);
    expect(stdout, label).toMatch(dataset === "win-rate-calculator" ? /required_no_lose_matches/ : /\w/);
  }
});
