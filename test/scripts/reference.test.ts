/** The reference of the API: what it says of each endpoint is so. */
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import SQLite from "better-sqlite3";
import { afterAll, describe, expect, test } from "vitest";
import { errorsOf } from "../../src/api/endpoint.ts";
import { ENDPOINT_GROUPS, ENDPOINTS, endpointOf } from "../../src/api/endpoints.ts";
import { ERRORS } from "../../src/api/errors.ts";
import { describeAllowed } from "../../src/api/request/parameters.ts";
import { createPages } from "../../src/extra/pages/pages.ts";
import { attributeOf, type Element, elementsOf, rowsOf, tableOf } from "../helpers/html.ts";
import { type RunningMirror, startFollowing, startWithPages } from "../helpers/mirror.ts";
import { openPage } from "../helpers/people.ts";
import { temporaryFolder } from "../helpers/run.ts";
import { editFile } from "../helpers/sqlite.ts";
import { world } from "../helpers/world.ts";

const mirror = await startFollowing(world.data, { pages: createPages({ pictures: false }) });
afterAll(() => mirror[Symbol.asyncDispose]());

const openEndpoint = (dataset: string, more = "") => openPage(mirror, `/docs?endpoint=${dataset}${more}`);

const textOf = (document: Element, label: string) =>
  elementsOf(document, "pre").find((one) => attributeOf(one, "aria-label") === label)?.text ?? "";

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

describe("an endpoint that the upstream marks as deprecated", () => {
  const MARK = "deprecated by the upstream";

  async function readMarks({ url }: Pick<RunningMirror, "url">) {
    const { paths } = (await (await fetch(`${url}/api/openapi.json`)).json()) as {
      paths: Record<string, { get?: { deprecated?: boolean } }>;
    };
    const listed = ENDPOINT_GROUPS.map(({ summary }) => summary);
    const overview = await openPage({ url }, "/docs");
    const pages = ENDPOINTS.map(async ({ dataset }) => (await openPage({ url }, `/docs?endpoint=${dataset}`)).text);
    const shown = await Promise.all(pages);
    return {
      openApi: ENDPOINTS.filter(({ path }) => paths[path]?.get?.deprecated === true).map(({ dataset }) => dataset),
      overview: listed
        .flatMap((label) => rowsOf(tableOf(overview, label)))
        .flatMap(([path, what]) => (what?.text.includes(MARK) ? [path?.text] : [])),
      pages: ENDPOINTS.filter((_, place) => shown[place]?.includes(MARK)).map(({ dataset }) => dataset),
    };
  }

  test("is marked in the OpenAPI document, in the overview and on its page, and no other is", async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "marked.sqlite");
    copyFileSync(world.nights.files[0] ?? "", file);
    editFile(
      file,
      `DROP TABLE IF EXISTS endpoint_state; CREATE TABLE endpoint_state (dataset TEXT, deprecated INTEGER);
       INSERT INTO endpoint_state VALUES ('catalog', 1), ('ratings', 1), ('rank', 0), ('stats', NULL)`,
    );
    const open = (name: string) => new SQLite(name, { readonly: true });
    await using marked = await startWithPages(file, createPages({ pictures: false }), { open });
    expect(await readMarks(marked)).toEqual({
      openApi: ["catalog", "ratings"],
      overview: ["/api/academy/heroes/catalog", "/api/academy/heroes/ratings"],
      pages: ["catalog", "ratings"],
    });
    expect(await readMarks(mirror)).toEqual({ openApi: [], overview: [], pages: [] });
  });
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
    const [, sample = ""] = /'(.*)'/.exec(textOf(document, "curl")) ?? [];
    const address = sample.replace("https://mirror.example", mirror.url);
    const response = await fetch(address);
    const answer = (await response.json()) as Answer;
    expect(response.status, address).toBe(200);
    const first = endpoint.wrapping === "body" ? answer : (answer.data?.records?.[0] ?? answer.data);
    const shown = textOf(document, "One record").replace(/\n… \d+ more lines$/, "");
    const whole = JSON.stringify(first, null, 2).split("\n").slice(0, shown.split("\n").length);
    expect(shown).toBe(whole.map((line) => line.slice(0, 160)).join("\n"));
  });

  test("has a form that asks the same without scripts", async () => {
    const document = await openEndpoint("timeline", "&lang=ja");
    const [form] = elementsOf(document, "main").flatMap((main) => elementsOf(main, "form"));
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
    expect(document.text).toContain("There is no value “__proto__” of endpoint.");
    expect(tableOf(document, "By status")).toBeDefined();
  });
});
