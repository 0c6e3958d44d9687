/** The contract that machines read: every answer is as the OpenAPI document says, and linters take it. */
import { copyFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Endpoint } from "../../src/api/endpoint.ts";
import { ENDPOINTS } from "../../src/api/endpoints.ts";
import { isRequired } from "../../src/api/request/parameters.ts";
import { compareInProcess } from "../../src/extra/nights/changes/compare.ts";
import { DOCUMENT_SCHEMAS } from "../../src/server/contract/documents.ts";
import { DOCUMENTS } from "../../src/server/routes/documents.ts";
import { latestFile } from "../../src/snapshot/published/pointer.ts";
import { publishDays, type RunningMirror, startFollowing, startMirror } from "../helpers/mirror.ts";
import { createRandom } from "../helpers/random.ts";
import { publishRolling } from "../helpers/rolling.ts";
import { temporaryFolder } from "../helpers/run.ts";
import { editFile } from "../helpers/sqlite.ts";
import { world } from "../helpers/world.ts";

/** What others write is open. */
const OPEN = ["OpenApi", "Login"];
const CLOSED = Object.keys(DOCUMENT_SCHEMAS).filter((name) => !OPEN.includes(name));

let whole: RunningMirror;
let nights: RunningMirror;
let text: string;
let contract: ReturnType<typeof createContract>;

beforeAll(async () => {
  whole = await startFollowing(world.data);
  nights = await startFollowing(world.nights.data);
  text = await (await fetch(`${whole.url}/api/openapi.json`)).text();
  contract = createContract(JSON.parse(text), CLOSED);
});
afterAll(async () => {
  await whole[Symbol.asyncDispose]();
  await nights[Symbol.asyncDispose]();
});

/** Asks, and holds the answer against the document. */
async function ask(mirror: RunningMirror, route: string, path: string, method = "GET") {
  const response = await fetch(mirror.url + path, { method });
  const contentType = response.headers.get("content-type") ?? "";
  // Files are many megabytes.
  const body = contentType.startsWith("application/json") ? await response.text() : "";
  if (!response.bodyUsed) await response.body?.cancel();
  const faults = contract.findFaults(method, route, response.status, contentType, body);
  expect(faults.slice(0, 5), path).toEqual([]);
  return { status: response.status, body };
}

const random = createRandom("contract");
/** The first is there. */
const NAMED = { hero: ["18", "Miya", "133", "nobody"], word: ["3275335", "x"], integer: ["137", "1", "9999", "0"] };

/** A valid query, but for what the path names. */
function toPath({ path, identifier, parameters }: Endpoint, isFirst: boolean): string {
  const query = new URLSearchParams();
  for (const parameter of parameters) {
    const { name } = parameter;
    if (!isRequired(parameter) && random.below(2) === 0) continue;
    if ("examples" in parameter) query.set(name, parameter.examples?.[0] ?? "");
    else if ("values" in parameter) query.set(name, random.pick(parameter.values));
    else query.set(name, String(1 + random.below(9)));
  }
  const words = identifier ? NAMED[identifier.kind] : [];
  return `${path.replace(/\{\w+\}/, () => (isFirst ? words[0] : random.pick(words)) ?? "")}?${query}`;
}

/** All that a mirror has besides the endpoints. */
async function askDocuments(mirror: RunningMirror) {
  const versions = mirror.versions.list().map(({ essentials }) => essentials.version);
  for (const { route, method } of DOCUMENTS) {
    const named = route.includes("{version}") ? [...versions, "20200101T000000Z-00000000"] : [""];
    for (const version of named)
      await ask(mirror, route.replace(/(.)\/$/, "$1"), route.replace("{version}", version), method);
  }
  const [version = ""] = versions;
  if (version) await ask(mirror, "/api", `/snapshots/${version}/api/`);
}

const statusesOf = (route: string) =>
  [...contract.checked.keys()]
    .flatMap((id) => (id.includes(` ${route} `) ? [Number(id.split(" ").at(-1))] : []))
    .sort();

describe("answers are as the document says", () => {
  test("of each endpoint, errors included", async () => {
    for (const endpoint of ENDPOINTS) {
      for (let turn = 0; turn < 6; turn += 1) await ask(whole, endpoint.path, toPath(endpoint, turn === 0));
      expect(statusesOf(endpoint.path)).toContain(200);
    }
    await ask(whole, "/api/heroes", "/api/heroes?size=none");
    expect(statusesOf("/api/heroes")).toEqual([200, 422]);
  });

  test("of each document, with all its fields, for a whole crawl and for nights", async () => {
    await askDocuments(whole);
    nights.active.setSource(SOURCE);
    await askDocuments(nights);
    nights.active.setSource({ ...SOURCE, looked_at: 0, error: { message: "no answer", at: 0 } });
    await ask(nights, "/health", "/health");
    const asked = new Set(DOCUMENTS.map(({ route }) => route.replace(/(.)\/$/, "$1")));
    expect([...asked].filter((route) => statusesOf(route).length === 0)).toEqual([]);
    expect(statusesOf("/snapshots/{version}/changes.json")).toEqual([200, 404]);
    const { changes } = JSON.parse((await fetchChanges()).body) as { changes: Record<string, unknown[]> };
    for (const name of ["texts", "tables", "coverage"]) expect(changes[name], name).not.toEqual([]);
  });

  test("for what could not be had, and for a night of several crawls", async () => {
    using folder = temporaryFolder();
    const data = folder.path;
    await publishDays(data, [0, 1], "--endpoints", "heroes,hero,rank,counters");
    const journal = join(data, "journals", readdirSync(join(data, "journals")).filter(isJournal).sort().at(-1) ?? "");
    await publishRolling(journal, data, ({ dataset }) => dataset === "heroes", undefined, {
      latest: true,
      compare: compareInProcess(),
    });
    const file = join(data, "closed.sqlite");
    copyFileSync(latestFile(data), file);
    editFile(
      file,
      `INSERT INTO closed_part VALUES (1, 'hero', 'lang', 'km', '2026-01-01T00:00:00Z', 'x', 'refused', 422, NULL, 3, 3, 1),
         (2, 'rank', '', '', '2026-01-01T00:00:00Z', 'x', 'refused', NULL, 'gone', 3, 3, 1);
       UPDATE endpoint_state SET state = 'closed' WHERE dataset = 'rank'`,
    );
    await using rolling = await startFollowing(data);
    await askDocuments(rolling);
    await using closed = await startMirror(file);
    for (const path of ["/health", "/ready", "/api"]) await ask(closed, path, path);
  });

  test("and a field too many, a wrong type and another status are seen", () => {
    const find = (status: number, body: object) =>
      contract.findFaults("GET", "/ready", status, "application/json", JSON.stringify(body));
    const ready = { code: 0, message: "OK", data: { ready: true, age: 1 } };
    expect(find(200, ready)).toEqual([]);
    expect(find(200, { ...ready, data: { ready: true, age: "1" } })[0]).toContain("/data/age must be integer");
    expect(find(200, { ...ready, data: { ...ready.data, more: 1 } })[0]).toContain("additional");
    expect(find(418, ready)[0]).toContain("is not declared");
  });
});

const SOURCE = {
  version: null,
  sequence: null,
  expires_at: null,
  older_than: null,
  moved_at: 0,
  looked_at: null,
  changed_at: null,
  error: null,
  frozenAfterMs: 1,
};

const isJournal = (name: string) => name.endsWith(".journal");

const fetchChanges = () =>
  ask(nights, "/snapshots/{version}/changes.json", `/snapshots/${world.nights.versions.at(-1)}/changes.json`);

describe("programs that read the document", () => {
  test("find no error by the recommended rules", async () => {
    const config = await createConfig({ extends: ["recommended"] });
    const lint = async (source: string) =>
      (await lintFromString({ source, config })).filter(({ severity }) => severity === "error");
    expect((await lint(text)).map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
    const { security: _, ...open } = JSON.parse(text) as { security: unknown };
    expect((await lint(JSON.stringify(open))).map(({ ruleId }) => ruleId)).toContain("security-defined");
  });

  test("find one schema for each JSON, and no schema that nothing names", () => {
    const { components } = JSON.parse(text) as { components: { schemas: object } };
    for (const name of Object.keys(components.schemas)) expect(text).toContain(`"#/components/schemas/${name}"`);
    for (const { mediaType, openApi } of DOCUMENTS)
      expect(openApi.answer !== undefined).toBe(mediaType === "application/json");
  });
});

interface OpenApiDocument {
  paths: Record<string, Record<string, unknown>>;
  components: { schemas: Record<string, object> };
}

interface Media {
  content?: Record<string, { schema: object }>;
}

const DOCUMENT = "https://mirror.example/api/openapi.json";

/** Holds answers against an OpenAPI document. `closed`: these schemas of it allow no field that they do not name. */
function createContract(document: OpenApiDocument, closed: readonly string[] = []) {
  const copy = structuredClone(document);
  for (const name of closed) closeObjects(copy.components.schemas[name]);
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(copy, DOCUMENT);
  const validators = new Map<string, ValidateFunction>();
  const checked = new Map<string, number>();

  return {
    /** Answers that were checked, by route and status. */
    checked,
    /** What is wrong with an answer, in lines; a route, status or media type that the document does not name is wrong too. */
    findFaults(method: string, route: string, status: number, contentType: string, body: string): string[] {
      const operation = copy.paths[route]?.[method.toLowerCase()] as { responses: Record<string, Media> } | undefined;
      const response = operation?.responses[status] && resolve(copy, operation.responses[status]);
      const [mediaType = ""] = contentType.split(";");
      const media = response?.content?.[mediaType];
      if (!media) return [`${method} ${route}: ${status} ${contentType} is not declared`];
      const id = `${method} ${route} ${status}`;
      checked.set(id, (checked.get(id) ?? 0) + 1);
      if (mediaType !== "application/json") return [];
      const validate = validators.get(`${id} ${mediaType}`) ?? ajv.compile(rebase(media.schema));
      validators.set(`${id} ${mediaType}`, validate);
      if (validate(JSON.parse(body))) return [];
      return (validate.errors ?? []).map(
        ({ instancePath, message, params }) => `${id}: ${instancePath} ${message} ${JSON.stringify(params)}`,
      );
    },
  };
}

function resolve(document: object, response: Media & { $ref?: string }): Media {
  const steps = response.$ref?.slice(2).split("/") ?? [];
  return steps.reduce<unknown>(
    (node, step) => (node as Record<string, unknown>)[step],
    steps[0] ? document : response,
  ) as Media;
}

/** A schema of the document, to stand outside of it. */
const rebase = (schema: object): object =>
  JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', `"$ref":"${DOCUMENT}#/`)) as object;

function closeObjects(node: unknown) {
  if (node === null || typeof node !== "object") return;
  for (const part of Object.values(node)) closeObjects(part);
  if ("properties" in node && "type" in node && node.type === "object")
    Object.assign(node, { additionalProperties: false });
}
