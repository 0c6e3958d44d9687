import { ENDPOINTS } from "../../api/endpoints.ts";
import { describeAllowed, isRequired } from "../../api/request/parameters.ts";
import { isSample } from "../../api/sample-data.ts";
import type { SnapshotTable } from "../../snapshot/schema/row-types.ts";
import { type Document, PINNED_ROUTE } from "./document.ts";

/** `GET /api/`: every endpoint with its parameters, all other routes, and which snapshot answers. */
export function describeIndex(head: SnapshotTable, documents: readonly Document[]) {
  const endpoints = ENDPOINTS.map(({ path, summary, parameters }) => ({
    method: "GET",
    path,
    summary,
    parameters: parameters.map((parameter) => ({
      name: parameter.name,
      ...(isRequired(parameter) ? { required: true } : { default: "default" in parameter ? parameter.default : "all" }),
      allowed: describeAllowed(parameter),
    })),
  }));
  const others = documents.map(({ method, route, summary }) => ({ method, path: route, summary, parameters: [] }));
  const { version, started_at, game_version, heroes, rolling, licence, attribution } = head;
  const sample = isSample(head);
  return {
    code: 0,
    message: "OK",
    data: {
      snapshot: { version, started_at, game_version, heroes, sample, rolling: rolling === 1 },
      pinned: `${PINNED_ROUTE}/api/`,
      endpoints: [...endpoints, ...others],
      licence,
      attribution,
    },
  };
}
