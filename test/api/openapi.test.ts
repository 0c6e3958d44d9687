import { Validator } from "@seriousme/openapi-schema-validator";
import { afterAll, beforeAll, expect, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { ENDPOINT_GROUPS, ENDPOINTS } from "../../src/api/endpoints.ts";
import { ERRORS, REGION_ERRORS } from "../../src/api/errors.ts";
import { type RunningMirror, startMirror } from "../helpers/mirror.ts";
import { world } from "../helpers/world.ts";

interface Document {
  openapi: string;
  info: { version: string };
  servers: { variables?: Record<string, object> }[];
  tags: { name: string; description: string }[];
  paths: Record<string, { get?: Operation; post?: Operation }>;
  components: {
    schemas: { Error: { properties: { error: { properties: { code: { enum: string[]; description: string } } } } } };
  };
}
interface Operation {
  tags?: string[];
  parameters?: {
    name: string;
    in: string;
    required?: boolean;
    schema: { default?: unknown; enum?: string[]; items?: { enum: string[] } };
  }[];
  responses: Record<string, unknown>;
}

let mirror: RunningMirror;
let document: Document;
beforeAll(async () => {
  mirror = await startMirror(world.snapshot);
  document = (await (await fetch(`${mirror.url}/api/openapi.json`)).json()) as Document;
});
afterAll(() => mirror[Symbol.asyncDispose]());

test("the document is valid against the official schema of OpenAPI 3.1", async () => {
  const result = await new Validator().validate({ ...document });
  expect(result.errors ?? []).toEqual([]);
  expect(result.valid).toBe(true);
  expect([document.openapi, document.info.version]).toEqual(["3.1.0", packageJson.version]);
});

test("it is valid against the first schema of OpenAPI 3.1, whose variables of a server have no description", () => {
  const variables = document.servers.flatMap(({ variables = {} }) => Object.values(variables));
  expect(variables.map((one) => Object.keys(one))).toEqual([["default"]]);
});

test("the validator sees a fault", async () => {
  const broken: object = { ...document, paths: { "/x": { get: { parameters: [{ name: "a" }] } } } };
  expect((await new Validator().validate({ ...broken })).valid).toBe(false);
});

test("every endpoint, parameter, default and allowed value is in it", async () => {
  const { paths } = document;
  for (const endpoint of ENDPOINTS) {
    const described = paths[endpoint.path]?.get?.parameters ?? [];
    const named = /\{(\w+)\}/.exec(endpoint.path)?.slice(1) ?? [];
    expect(described.map(({ name }) => name)).toEqual([...named, ...endpoint.parameters.map(({ name }) => name)]);
    for (const parameter of endpoint.parameters) {
      const found = described.find((one) => one.name === parameter.name && one.in === "query");
      const words = "values" in parameter ? parameter.values : undefined;
      const fallback = "default" in parameter ? parameter.default : undefined;
      expect(found?.schema.default).toEqual(parameter.kind === "choices" ? words : fallback);
      expect(found?.required).toBe(parameter.kind !== "choices" && fallback === undefined);
      expect(found?.schema.enum ?? found?.schema.items?.enum).toEqual(words);
    }
    expect(Object.keys(paths[endpoint.path]?.get?.responses ?? {})).toEqual(
      expect.arrayContaining(["200", "405", "422", "500", "503"]),
    );
  }
  const others = [
    "/api",
    "/api/openapi.json",
    "/snapshots",
    "/snapshots/latest.json",
    "/snapshots/{version}.json",
    "/snapshots/{version}.json.minisig",
    "/snapshots/{version}.sqlite",
    "/snapshots/{version}.sqlite.zst",
    "/snapshots/{version}.analysts.sqlite",
    "/snapshots/{version}.history.sqlite.zst",
    "/snapshots/{version}/changes.json",
    "/changes.atom",
    "/llms.txt",
    "/health",
    "/ready",
    "/metrics",
    ...["send-vc", "login", "logout"].map((name) => `/api/user/auth/${name}`),
  ];
  expect(Object.keys(paths).sort()).toEqual([...ENDPOINTS.map(({ path }) => path), ...others].sort());
});

test("every operation has the errors of every answer: of other methods, of conditions, of a mirror that is not ready", async () => {
  for (const [path, { get, post }] of Object.entries(document.paths)) {
    const statuses = Object.keys((get ?? post)?.responses ?? {});
    const ownState = post !== undefined || ["/health", "/ready", "/metrics"].includes(path);
    expect(statuses, path).toEqual(expect.arrayContaining(["405", "500", "503", ...(ownState ? [] : ["412"])]));
  }
});

test("every operation has one tag, that of its group", async () => {
  const { paths, tags } = document;
  const used = Object.values(paths).flatMap(({ get, post }) => [get, post].flatMap((one) => (one ? [one.tags] : [])));
  for (const one of used) expect(one).toHaveLength(1);
  expect([...new Set(used.flat())].sort()).toEqual(tags.map(({ name }) => name).sort());
  for (const { name, endpoints } of ENDPOINT_GROUPS)
    for (const { path } of endpoints) expect(paths[path]?.get?.tags).toEqual([name]);
});

test("every error code is in it, those of regions marked as never sent", async () => {
  const { code } = document.components.schemas.Error.properties.error.properties;
  expect(code.enum).toEqual([...Object.keys(ERRORS), ...Object.keys(REGION_ERRORS)]);
  for (const line of code.description.split("\n")) {
    expect(line.endsWith("(never sent by a mirror)")).toBe(
      Object.keys(REGION_ERRORS).some((name) => line.startsWith(name)),
    );
  }
});

test("the index lists every route", async () => {
  const { paths } = document;
  for (const path of ["/api", "/api/"]) {
    const index = (await (await fetch(mirror.url + path)).json()) as {
      code: number;
      data: { endpoints: { path: string }[] };
    };
    expect(index.code).toBe(0);
    const listed = index.data.endpoints.map((endpoint) => endpoint.path.replace(/\/$/, ""));
    expect(listed.sort()).toEqual(Object.keys(paths).sort());
  }
});
