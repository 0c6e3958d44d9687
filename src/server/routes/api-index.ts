import { ENDPOINTS } from "../../api/endpoints.ts";
import { describeAllowed, isRequired } from "../../api/request/parameters.ts";
import type { SnapshotTable } from "../../snapshot/schema/row-types.ts";
import {
  ADMIN_ROUTES,
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

/** Routes beside the table, with what they answer. */
export const DOCUMENTS = [
  [INDEX_ROUTE, "This list"],
  [OPENAPI_ROUTE, "The OpenAPI document"],
  [LIST_ROUTE, "The published snapshots, newest first"],
  [LATEST_ROUTE, "Which snapshot is served, with its hashes"],
  [MANIFEST_ROUTE, "Hashes, counts and crawl report of one snapshot"],
  [FILE_ROUTE, "Its SQLite file; ranges of bytes are answered"],
  [COMPRESSED_ROUTE, "The same as zstd, where a compressed copy was made"],
] as const;

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
  const documents = DOCUMENTS.map(([path, summary]) => ({ method: "GET", path, summary, parameters: [] }));
  const auth = AUTH_ROUTES.map((path) => ({ method: "POST", path, summary: "Passed to the upstream", parameters: [] }));
  const operation = ADMIN_ROUTES.map((path) => ({
    method: "GET",
    path,
    summary: "For whoever runs the mirror",
    parameters: [],
  }));
  const { version, started_at, game_version, heroes, licence, attribution } = head;
  return {
    code: 0,
    message: "OK",
    data: {
      snapshot: { version, started_at, game_version, heroes },
      pinned: `${PINNED_ROUTE}/api/`,
      endpoints: [...data, ...documents, ...auth, ...operation],
      licence,
      attribution,
    },
  };
}
