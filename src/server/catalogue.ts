import { ENDPOINTS } from "../api/endpoints.ts";
import { describeAllowed, isRequired } from "../api/parameters.ts";
import type { SnapshotTable } from "../snapshot/tables.ts";
import { AUTH_ROUTES, INDEX_ROUTE, OPENAPI_ROUTE } from "./routes.ts";

/** `GET /api/`: every endpoint with its parameters, and which snapshot answers. */
export function describeIndex(head: SnapshotTable) {
  const data = ENDPOINTS.map(({ path, summary, parameters }) => ({
    method: "GET",
    path,
    summary,
    parameters: parameters.map((parameter) => ({
      name: parameter.name,
      ...(isRequired(parameter) ? { required: true } : { default: "default" in parameter ? parameter.default : "all" }),
      allowed: describeAllowed(parameter),
    })),
  }));
  const documents = [
    { method: "GET", path: INDEX_ROUTE, summary: "This list", parameters: [] },
    { method: "GET", path: OPENAPI_ROUTE, summary: "The OpenAPI document", parameters: [] },
  ];
  const auth = AUTH_ROUTES.map((path) => ({ method: "POST", path, summary: "Passed to the upstream", parameters: [] }));
  const { version, started_at, game_version, heroes, licence, attribution } = head;
  return {
    code: 0,
    message: "OK",
    data: {
      snapshot: { version, started_at, game_version, heroes },
      endpoints: [...data, ...documents, ...auth],
      licence,
      attribution,
    },
  };
}
