import * as z from "zod";
import type { Endpoint } from "../api/endpoint.ts";
import { ENDPOINTS } from "../api/endpoints.ts";
import { ERRORS, REGION_ERRORS } from "../api/errors.ts";
import { isRequired, type Parameter } from "../api/parameters.ts";
import type { PathParameter } from "../api/path-parameter.ts";
import { AUTH_ROUTES, INDEX_ROUTE, OPENAPI_ROUTE } from "./routes.ts";

/** `GET /api/openapi.json`: OpenAPI 3.1.0, made from the table of endpoints. */
export function describeOpenApi() {
  return {
    openapi: "3.1.0",
    info: {
      title: "Game hero data, mirrored",
      // The version of the mirrored interface, not of this program.
      version: "1.0.2",
      description: "Read-only mirror of a public hero data service. Login calls are passed to the upstream.",
    },
    paths: {
      [INDEX_ROUTE]: { get: document("listEndpoints", "Every endpoint, and which snapshot answers") },
      [OPENAPI_ROUTE]: { get: document("describeApi", "This document") },
      ...Object.fromEntries(ENDPOINTS.map((endpoint) => [endpoint.path, { get: describeEndpoint(endpoint) }])),
      ...Object.fromEntries(AUTH_ROUTES.map((path) => [path, { post: describeAuth(path) }])),
    },
    components: { schemas: { ...recordSchemas(), Error: errorSchema() } },
  };
}

const json = (schema: object) => ({ "application/json": { schema } });
const ERROR = { $ref: "#/components/schemas/Error" };

function describeEndpoint(endpoint: Endpoint) {
  const parameters = endpoint.parameters.map(describeParameter);
  const named = endpoint.identifier ? [describeIdentifier(endpoint.identifier)] : [];
  const statuses = [...(endpoint.compute ? [400] : []), ...(named.length > 0 ? [404] : []), 405, 422, 500, 503];
  return {
    operationId: endpoint.dataset,
    summary: endpoint.summary,
    parameters: [...named, ...parameters],
    responses: { 200: describeAnswer(endpoint), ...describeErrors(statuses) },
  };
}

function describeIdentifier(identifier: PathParameter) {
  const { name, description } = identifier;
  return { name, in: "path", required: true, description, schema: schemaOf(identifier) };
}

function schemaOf(identifier: PathParameter): object {
  if (identifier.kind === "hero") return { type: "string" };
  if (identifier.kind === "word") {
    return { type: "string", minLength: identifier.length, maxLength: identifier.length };
  }
  return { type: "integer", minimum: identifier.minimum, maximum: identifier.maximum };
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

function describeParameter(parameter: Parameter) {
  const { name, description } = parameter;
  const required = isRequired(parameter);
  const examples = "examples" in parameter ? parameter.examples.map((value) => [value, { value: Number(value) }]) : [];
  return {
    name,
    in: "query",
    required,
    description,
    schema: querySchema(parameter),
    ...(examples.length > 0 && { examples: Object.fromEntries(examples) }),
  };
}

function querySchema(parameter: Parameter): object {
  if (parameter.kind === "decimal") {
    const { minimum, exclusive, maximum } = parameter;
    return { type: "number", ...(exclusive ? { exclusiveMinimum: minimum } : { minimum }), maximum };
  }
  const fallback = "default" in parameter ? { default: parameter.default } : {};
  if (parameter.kind === "integer") {
    const { minimum, maximum } = parameter;
    return { type: "integer", minimum, ...(maximum !== undefined && { maximum }), ...fallback };
  }
  const words = { type: "string", enum: parameter.values };
  return parameter.kind === "choice"
    ? { ...words, ...fallback }
    : { type: "array", items: words, default: parameter.values };
}

const wrapSchema = (message: string, data: object) => ({
  type: "object",
  required: ["code", "message", "data"],
  properties: { code: { const: 0 }, message: { const: message }, data },
});

const schemaName = (endpoint: Endpoint) => String(z.globalRegistry.get(endpoint.record)?.id);

function recordSchemas() {
  const { schemas } = z.toJSONSchema(z.globalRegistry, { io: "input", uri: (id) => `#/components/schemas/${id}` });
  return Object.fromEntries(
    ENDPOINTS.map(schemaName).map((name) => {
      const { $schema: _, $id: __, ...schema } = schemas[name] ?? {};
      return [name, schema];
    }),
  );
}

function describeErrors(statuses: readonly number[]) {
  const codes = Object.entries(ERRORS);
  return Object.fromEntries(
    statuses.map((status) => {
      const matching = codes.filter(([, error]) => error.status === status);
      const description = matching.map(([code, error]) => `${code}: ${error.when}`).join("; ");
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

function document(operationId: string, summary: string) {
  return {
    operationId,
    summary,
    responses: { 200: { description: summary, content: json({ type: "object" }) }, ...describeErrors([405, 500]) },
  };
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
      ...describeErrors([405, 413, 429, 500, 502, 503, 504]),
    },
  };
}
