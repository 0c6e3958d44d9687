import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { type Endpoint, errorsOf } from "../../api/endpoint.ts";
import { ENDPOINT_GROUPS, ENDPOINTS } from "../../api/endpoints.ts";
import { ERRORS } from "../../api/errors.ts";
import { shapeOf } from "../../api/shapes.ts";
import { DOCUMENT_SCHEMAS } from "../contract/documents.ts";
import { PROGRAM_VERSION } from "../query/snapshot-handle.ts";
import { asJson, describeErrors, errorResponses, errorSchema } from "./openapi-errors.ts";
import { describeIdentifier, describeParameter } from "./openapi-parameters.ts";
import { type Document, PINNED_ROUTE } from "./route.ts";

/**
 * `GET /api/openapi.json`: OpenAPI 3.1.0, made from the tables of endpoints and documents. `deprecated`: the datasets of the endpoints
 * that the upstream marks so.
 */
export function describeOpenApi(version: string, documents: readonly Document[], deprecated: ReadonlySet<string>) {
  const paths = (...groups: Document["group"][]) =>
    Object.fromEntries(
      documents
        .filter(({ group }) => groups.includes(group))
        .map((document) => [toPath(document.route), describeDocument(document)]),
    );
  return {
    openapi: "3.1.0",
    info: {
      title: "Game hero data, mirrored",
      version: PROGRAM_VERSION,
      description:
        "Read-only mirror of a public hero data service, of version 1.0.2 of its interface. The mirror passes login calls to the upstream.",
    },
    // No route needs a key.
    security: [],
    servers: [
      { url: "/", description: "The newest snapshot." },
      {
        url: PINNED_ROUTE,
        description:
          "The same endpoints, answered from one snapshot for ever: its version is one of GET /snapshots/. Login calls are not available here.",
        // A description here is refused by the first schema of OpenAPI 3.1, which many validators have.
        variables: { version: { default: version } },
      },
    ],
    tags: [
      ...ENDPOINT_GROUPS.map(({ name, summary }) => ({ name, description: summary })),
      ...Object.values(DOCUMENT_TAGS),
    ],
    paths: {
      ...paths("api", "snapshots", "site"),
      ...Object.fromEntries(
        ENDPOINT_GROUPS.flatMap(({ name, endpoints }) =>
          endpoints.map((endpoint) => [
            endpoint.path,
            { get: describeEndpoint(endpoint, name, deprecated.has(endpoint.dataset)) },
          ]),
        ),
      ),
      ...paths("auth", "admin"),
    },
    components: {
      schemas: { ...recordSchemas(), ...documentSchemas(), Error: errorSchema() },
      responses: errorResponses(documents),
      headers: HEADERS,
    },
  };
}

const DOCUMENT_TAGS: Record<Document["group"], { name: string; description: string }> = {
  api: { name: "This API", description: "Descriptions of the API" },
  snapshots: { name: "Snapshots", description: "Published files to download" },
  site: { name: "News and help", description: "For readers of feeds and for assistants" },
  auth: { name: "Login", description: "Login calls, which the mirror passes to the upstream" },
  admin: { name: "State", description: "State of the mirror, for its operator" },
};

/** Both spellings are answered; the one without the slash at the end can be joined to the URL of a server. */
const toPath = (route: string) => route.replace(/\/$/, "");

/** Headers of answers. An answer that is computed from the query alone has no `x-data-at`. */
const HEADERS = {
  "x-snapshot-at": {
    description: "Start of the crawl of the snapshot that answers.",
    schema: { type: "string", format: "date-time" },
  },
  "x-data-at": {
    description:
      "Start of the crawl that asked for this answer; for an answer of several parts, for the oldest part. The time is earlier than x-snapshot-at if the answer is carried over from an earlier night: in a rolling snapshot, or because it could not be had since.",
    schema: { type: "string", format: "date-time" },
  },
  "x-ignored-parameters": {
    description:
      "Parameters of the query that the endpoint does not have: up to eight names of letters, digits, `_`, `.` and `-`, with commas between them. Without such parameters the header is not sent.",
    schema: { type: "string" },
  },
};

const headersOf = ({ compute }: Endpoint) => {
  const names = Object.keys(HEADERS).filter((name) => name !== "x-data-at" || !compute);
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
};

function describeEndpoint(endpoint: Endpoint, tag: string, isDeprecated: boolean) {
  const parameters = endpoint.parameters.map(describeParameter);
  const named = endpoint.identifier ? [describeIdentifier(endpoint.identifier)] : [];
  const statuses = errorsOf(endpoint).map((code) => ERRORS[code].status);
  return {
    operationId: endpoint.dataset,
    tags: [tag],
    summary: endpoint.summary,
    ...(isDeprecated && { deprecated: true }),
    parameters: [...named, ...parameters],
    responses: { 200: describeRecords(endpoint), ...describeErrors(statuses) },
  };
}

function describeRecords(endpoint: Endpoint) {
  const record = { $ref: `#/components/schemas/${schemaName(endpoint)}` };
  const headers = headersOf(endpoint);
  if (endpoint.wrapping === "body") return { description: "The answer", headers, content: asJson(record) };
  if (endpoint.wrapping === "data")
    return { description: "One record", headers, content: asJson(wrapSchema("Success", record)) };
  const page = {
    type: "object",
    required: ["records", "total"],
    properties: {
      records: { type: "array", items: record },
      total: { type: "integer", minimum: 0, description: "Number of records over all pages." },
    },
  };
  return { description: "One page of records", headers, content: asJson(wrapSchema("OK", page)) };
}

const wrapSchema = (message: string, data: object) => ({
  type: "object",
  required: ["code", "message", "data"],
  properties: { code: { const: 0 }, message: { const: message }, data },
});

const schemaName = (endpoint: Endpoint) => String(z.globalRegistry.get(shapeOf(endpoint))?.id);

/**
 * Other fields are allowed by default, as in every JSON Schema. To say so makes generators give each object an index, with which a program
 * with a typo compiles.
 */
const SCHEMA_OPTIONS = {
  io: "input",
  override: ({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }) => {
    const known = Object.keys(jsonSchema.properties ?? {}).length;
    if (known > 0 && isDeepStrictEqual(jsonSchema.additionalProperties, {})) delete jsonSchema.additionalProperties;
  },
} as const;

function recordSchemas() {
  const { schemas } = z.toJSONSchema(z.globalRegistry, {
    ...SCHEMA_OPTIONS,
    uri: (id) => `#/components/schemas/${id}`,
  });
  return Object.fromEntries(
    ENDPOINTS.map(schemaName).map((name) => {
      const { $schema: _, $id: __, ...schema } = schemas[name] ?? {};
      return [name, schema];
    }),
  );
}

const documentSchemas = () =>
  Object.fromEntries(
    Object.entries(DOCUMENT_SCHEMAS).map(([name, document]) => {
      const { $schema: _, ...schema } = z.toJSONSchema(document, SCHEMA_OPTIONS);
      return [name, schema];
    }),
  );

/** The path of a document, by its method. */
function describeDocument(document: Document) {
  const { route, method, group, kind, mediaType, summary, openApi } = document;
  const content = { [mediaType]: { schema: schemaOfDocument(document) } };
  const operation = {
    operationId: openApi.operationId,
    tags: [DOCUMENT_TAGS[group].name],
    summary: openApi.summary ?? summary,
    ...(method === "POST" && { requestBody: { required: false, content: asJson({ type: "object" }) } }),
    responses: {
      ...(kind === "file" ? describeFile(content) : describeBody(group, content, openApi.summary ?? summary)),
      ...describeErrors(openApi.errors),
    },
  };
  return {
    // These are not below `PINNED_ROUTE`.
    ...(["snapshots", "site", "admin"].includes(group) && { servers: [{ url: "/" }] }),
    ...(route.includes("{version}") && { parameters: [VERSION_PARAMETER] }),
    [method.toLowerCase()]: operation,
  };
}

const VERSION_PARAMETER = {
  name: "version",
  in: "path",
  required: true,
  description: "Version of a snapshot, as in GET /snapshots/.",
  schema: { type: "string" },
};

const describeBody = (group: Document["group"], content: object, summary: string) => ({
  200: {
    description: group === "auth" ? "Answer of the upstream. A code other than 0 is a failure" : summary,
    content,
  },
});

const describeFile = (content: object) => ({
  200: { description: "The whole file", content },
  206: { description: "One range of the file", content },
});

function schemaOfDocument({ kind, openApi: { answer } }: Document): object {
  if (answer) return { $ref: `#/components/schemas/${answer}` };
  return { type: "string", ...(kind === "file" && { format: "binary" }) };
}
