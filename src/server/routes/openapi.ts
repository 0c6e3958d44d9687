import * as z from "zod";
import type { Endpoint } from "../../api/endpoint.ts";
import { ENDPOINTS } from "../../api/endpoints.ts";
import { ERRORS, REGION_ERRORS } from "../../api/errors.ts";
import { shapeOf } from "../../api/shapes.ts";
import { describeIdentifier, describeParameter } from "./openapi-parameters.ts";
import {
  type ADMIN_ROUTES,
  AUTH_ROUTES,
  COMPRESSED_ROUTE,
  FILE_ROUTE,
  INDEX_ROUTE,
  LATEST_ROUTE,
  LIST_ROUTE,
  MANIFEST_ROUTE,
  OPENAPI_ROUTE,
  PINNED_ROUTE,
} from "./routes.ts";

/** `GET /api/openapi.json`: OpenAPI 3.1.0, made from the table of endpoints. */
export function describeOpenApi(version: string) {
  return {
    openapi: "3.1.0",
    info: {
      title: "Game hero data, mirrored",
      // The version of the mirrored interface, not of this program.
      version: "1.0.2",
      description: "Read-only mirror of a public hero data service. Login calls are passed to the upstream.",
    },
    servers: [
      { url: "/", description: "The newest snapshot." },
      {
        url: PINNED_ROUTE,
        description: "All of `/api`, from one published snapshot for ever; login calls are not here.",
        variables: { version: { default: version, description: "One of GET /snapshots/." } },
      },
    ],
    paths: {
      [INDEX_ROUTE]: { get: document("listEndpoints", "Every endpoint, and which snapshot answers") },
      [OPENAPI_ROUTE]: { get: document("describeApi", "This document") },
      ...describeSnapshots(),
      ...Object.fromEntries(ENDPOINTS.map((endpoint) => [endpoint.path, { get: describeEndpoint(endpoint) }])),
      ...Object.fromEntries(AUTH_ROUTES.map((path) => [path, { post: describeAuth(path) }])),
      ...describeOperation(),
    },
    components: { schemas: { ...recordSchemas(), Error: errorSchema() }, responses: errorResponses() },
  };
}

const json = (schema: object) => ({ "application/json": { schema } });
const ERROR = { $ref: "#/components/schemas/Error" };

function describeEndpoint(endpoint: Endpoint) {
  const parameters = endpoint.parameters.map(describeParameter);
  const named = endpoint.identifier ? [describeIdentifier(endpoint.identifier)] : [];
  const statuses = [...(endpoint.compute ? [400] : []), ...(named.length > 0 ? [404] : []), 405, 412, 422, 500, 503];
  return {
    operationId: endpoint.dataset,
    summary: endpoint.summary,
    parameters: [...named, ...parameters],
    responses: { 200: describeAnswer(endpoint), ...describeErrors(statuses) },
  };
}

function describeAnswer(endpoint: Endpoint) {
  const record = { $ref: `#/components/schemas/${schemaName(endpoint)}` };
  if (endpoint.wrapping === "body") return { description: "The answer", content: json(record) };
  if (endpoint.wrapping === "data") return { description: "One record", content: json(wrapSchema("Success", record)) };
  const page = {
    type: "object",
    required: ["records", "total"],
    properties: {
      records: { type: "array", items: record },
      total: { type: "integer", minimum: 0, description: "Records of the whole answer, over all pages." },
    },
  };
  return { description: "One page of records", content: json(wrapSchema("OK", page)) };
}

const wrapSchema = (message: string, data: object) => ({
  type: "object",
  required: ["code", "message", "data"],
  properties: { code: { const: 0 }, message: { const: message }, data },
});

const schemaName = (endpoint: Endpoint) => String(z.globalRegistry.get(shapeOf(endpoint))?.id);

function recordSchemas() {
  const { schemas } = z.toJSONSchema(z.globalRegistry, { io: "input", uri: (id) => `#/components/schemas/${id}` });
  return Object.fromEntries(
    ENDPOINTS.map(schemaName).map((name) => {
      const { $schema: _, $id: __, ...schema } = schemas[name] ?? {};
      return [name, schema];
    }),
  );
}

/** Said once for all endpoints. */
const describeErrors = (statuses: readonly number[]) =>
  Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/${status}` }]));

function errorResponses() {
  const byStatus = Map.groupBy(Object.entries(ERRORS), ([, { status }]) => status);
  return Object.fromEntries(
    [...byStatus].map(([status, errors]) => {
      const description = errors.map(([code, { when }]) => `${code}: ${when}`).join("; ");
      return [status, { description, content: json(ERROR) }];
    }),
  );
}

function errorSchema() {
  const codes = { ...ERRORS, ...REGION_ERRORS };
  const lines = Object.entries(codes).map(([code, { status, when }]) => {
    const never = code in REGION_ERRORS ? " (never sent by a mirror)" : "";
    return `${code} (${status}): ${when}${never}`;
  });
  const text = { type: "string" };
  const field = {
    type: "object",
    required: ["name", "in", "received", "allowed"],
    properties: { name: text, in: { enum: ["path", "query", "header", "body"] }, received: text, allowed: text },
  };
  const error = {
    type: "object",
    required: ["code", "message", "hint", "detail", "fields"],
    properties: {
      code: { type: "string", enum: Object.keys(codes), description: lines.join("\n") },
      message: text,
      hint: text,
      detail: { type: "string", description: "The exact offending value." },
      fields: { type: "array", items: field, description: "Each invalid parameter." },
    },
  };
  return { type: "object", required: ["success", "error"], properties: { success: { const: false }, error } };
}

function document(operationId: string, summary: string, statuses: readonly number[] = []) {
  return {
    operationId,
    summary,
    responses: {
      200: { description: summary, content: json({ type: "object" }) },
      ...describeErrors([...statuses, 405, 500]),
    },
  };
}

function describeSnapshots() {
  const servers = [{ url: "/" }];
  const parameters = [
    { name: "version", in: "path", required: true, description: "One of GET /snapshots/.", schema: { type: "string" } },
  ];
  const download = (operationId: string, summary: string, type: string) => {
    const content = { [type]: { schema: { type: "string", format: "binary" } } };
    return {
      operationId,
      summary,
      responses: {
        200: { description: "The whole file", content },
        206: { description: "One range of it", content },
        ...describeErrors([404, 405, 412, 416, 500, 503]),
      },
    };
  };
  return {
    [LIST_ROUTE]: { servers, get: document("listSnapshots", "The published snapshots, newest first") },
    [LATEST_ROUTE]: { servers, get: document("latestSnapshot", "Which snapshot is served, with its hashes") },
    [MANIFEST_ROUTE]: {
      servers,
      parameters,
      get: document("describeSnapshot", "Hashes, counts and crawl report", [404]),
    },
    [FILE_ROUTE]: {
      servers,
      parameters,
      get: download("downloadSnapshot", "The SQLite file; ranges of bytes are answered", "application/vnd.sqlite3"),
    },
    [COMPRESSED_ROUTE]: {
      servers,
      parameters,
      get: download("downloadCompressed", "The same as zstd, where a compressed copy was made", "application/zstd"),
    },
  };
}

function describeOperation() {
  const text = { "text/plain": { schema: { type: "string" } } };
  const servers = [{ url: "/" }];
  const metrics = { description: "Counters and gauges in the text format of Prometheus", content: text };
  return {
    "/health": {
      servers,
      get: document(
        "health",
        "200 while it serves: the snapshot, why a newer one was refused, how a source that is followed stands",
      ),
    },
    "/ready": {
      servers,
      get: document("ready", "503 when the snapshot is too old or the mirror is shutting down", [503]),
    },
    "/metrics": {
      servers,
      get: {
        operationId: "metrics",
        summary: metrics.description,
        responses: { 200: metrics, ...describeErrors([405, 500]) },
      },
    },
  } satisfies Record<(typeof ADMIN_ROUTES)[number], object>;
}

function describeAuth(path: string) {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return {
    operationId: name,
    summary: "Passed to the upstream byte for byte, and its answer back",
    requestBody: { required: false, content: json({ type: "object" }) },
    responses: {
      200: {
        description: "The upstream's answer; a code other than 0 is a failure",
        content: json({ type: "object" }),
      },
      ...describeErrors([400, 405, 408, 413, 429, 500, 502, 503, 504]),
    },
  };
}
