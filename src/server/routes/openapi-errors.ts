import { errorsOf } from "../../api/endpoint.ts";
import { ENDPOINTS } from "../../api/endpoints.ts";
import { ERRORS, REGION_ERRORS } from "../../api/errors.ts";
import type { Document } from "./route.ts";

export const asJson = (schema: object) => ({ "application/json": { schema } });

const ERROR = { $ref: "#/components/schemas/Error" };

/** Describes the errors that all endpoints have. */
export const describeErrors = (statuses: readonly number[]) =>
  Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/${status}` }]));

/** Makes the responses with the statuses of a route's errors; others are sent before the route is known. */
export function errorResponses(documents: readonly Document[]) {
  const used = new Set([
    ...documents.flatMap(({ openApi }) => openApi.errors),
    ...ENDPOINTS.flatMap((endpoint) => errorsOf(endpoint).map((code) => ERRORS[code].status)),
  ]);
  const byStatus = Map.groupBy(Object.entries(ERRORS), ([, { status }]) => status);
  return Object.fromEntries(
    [...byStatus]
      .filter(([status]) => used.has(status))
      .map(([status, errors]) => {
        const description = errors.map(([code, { when }]) => `${code}: ${when}`).join("; ");
        return [status, { description, content: asJson(ERROR) }];
      }),
  );
}

/** Makes the schema of every error's body. */
export function errorSchema() {
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
      detail: { type: "string", description: "The invalid value, or its place in the request." },
      fields: { type: "array", items: field, description: "The invalid parameters." },
    },
  };
  return { type: "object", required: ["success", "error"], properties: { success: { const: false }, error } };
}
