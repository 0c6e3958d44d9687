/** The reference of the API: what it says of each endpoint is so. */
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { errorsOf } from "../src/api/endpoint.ts";
import { ENDPOINT_GROUPS, ENDPOINTS, endpointOf } from "../src/api/endpoints.ts";
import { ERRORS } from "../src/api/errors.ts";
import { describeAllowed } from "../src/api/request/parameters.ts";
import { createPages } from "../src/pages/pages.ts";
import { attributeOf, type Element, elementsOf, rowsOf, tableOf } from "./helpers/html.ts";
import { type RunningMirror, startFollowing } from "./helpers/mirror.ts";
import { openPage } from "./helpers/people.ts";
import { isInstalled, runProgram } from "./helpers/program.ts";

let mirror: RunningMirror;
beforeAll(async () => {
  mirror = await startFollowing(inject("data"), { pages: createPages({ pictures: false }) });
});
afterAll(() => mirror[Symbol.asyncDispose]());

const openEndpoint = (dataset: string, more = "") => openPage(mirror, `/docs?endpoint=${dataset}${more}`);

const textOf = (document: Element, label: string) =>
  elementsOf(document, "pre").find((one) => attributeOf(one, "aria-label") === label)?.text ?? "";

/** The sample, for this mirror. */
const sampleOf = (document: Element, label: string) =>
  textOf(document, label).replaceAll("https://mirror.example", mirror.url);

interface Answer {
  data?: { records?: unknown[] };
}

test("the overview has every endpoint under its group, and every error", async () => {
  const document = await openPage(mirror, "/docs");
  for (const { summary, endpoints } of ENDPOINT_GROUPS) {
    const rows = rowsOf(tableOf(document, summary));
    expect(rows.map(([path]) => path?.text)).toEqual(endpoints.map(({ path }) => path));
  }
  const errors = rowsOf(tableOf(document, "By status"));
  expect(errors.map(([, code]) => code?.text).sort()).toEqual(Object.keys(ERRORS).sort());
  expect(document.text).toContain("Any site may ask it from a browser");
  const { headers } = await fetch(`${mirror.url}/api/heroes`, { headers: { origin: "https://other.example" } });
  expect(headers.get("access-control-allow-origin")).toBe("*");
});

describe("the page of an endpoint", () => {
  test.for(ENDPOINTS.map(({ dataset }) => dataset))("%s has its parameters, errors and a record", async (dataset) => {
    const endpoint = endpointOf(dataset);
    const document = await openEndpoint(dataset);
    const parameters = rowsOf(tableOf(document, "In this order")).slice(endpoint.identifier ? 1 : 0);
    expect(parameters.map(([name, , what, allowed]) => [name?.text, what?.text, allowed?.text])).toEqual(
      endpoint.parameters.map((one) => [one.name, one.description, describeAllowed(one)]),
    );
    const errors = rowsOf(tableOf(document, "What it may answer instead"));
    expect(errors.map(([, code]) => code?.text).sort()).toEqual(errorsOf(endpoint).sort());
    const [, address = ""] = /'(.*)'/.exec(sampleOf(document, "curl")) ?? [];
    const response = await fetch(address);
    const answer = (await response.json()) as Answer;
    expect(response.status, address).toBe(200);
    const first = endpoint.wrapping === "body" ? answer : (answer.data?.records?.[0] ?? answer.data);
    const shown = textOf(document, "One record").replace(/\n… \d+ more lines$/, "");
    const whole = JSON.stringify(first, null, 2).split("\n").slice(0, shown.split("\n").length);
    expect(shown).toBe(whole.map((line) => line.slice(0, 160)).join("\n"));
  });

  test.for(["rank", "stats", "ratings", "win-rate-calculator"])(
    "%s can be asked as its samples ask",
    async (dataset) => {
      const document = await openEndpoint(dataset);
      const programs = [
        ["curl", "curl", "sh"],
        ["Python", "python3", "python3"],
        ["TypeScript", "node", "node"],
      ] as const;
      for (const [label, needs, program] of programs) {
        if (!isInstalled(needs)) continue;
        const printed = await runProgram(program, sampleOf(document, label));
        expect(printed, label).toMatch(dataset === "win-rate-calculator" ? /required_no_lose_matches/ : /\w/);
      }
    },
  );

  test("has a form that asks the same without scripts", async () => {
    const document = await openEndpoint("timeline", "&lang=ja");
    const [form] = elementsOf(document, "form");
    const query = new URLSearchParams();
    for (const field of elementsOf(form as Element, "select", "input")) {
      const chosen = elementsOf(field, "option").find((option) => option.attributes.has("selected"));
      query.set(attributeOf(field, "name") ?? "", attributeOf(chosen ?? field, "value") ?? "");
    }
    expect([...query.keys()].sort()).toEqual(["index", "lane", "lang", "rank", "size"]);
    const response = await fetch(`${mirror.url}${attributeOf(form, "action")}?${query}`);
    expect(response.status).toBe(200);
    expect(((await response.json()) as Answer).data?.records).toHaveLength(1);
  });

  test("there is none for another word", async () => {
    const document = await openEndpoint("__proto__");
    expect(document.text).toContain("There is no such value of endpoint");
    expect(tableOf(document, "By status")).toBeDefined();
  });
});
