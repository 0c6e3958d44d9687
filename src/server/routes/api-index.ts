import { ENDPOINTS } from "../../api/endpoints.ts";
import { describeAllowed, isRequired } from "../../api/request/parameters.ts";
import { isSample } from "../../api/sample-data.ts";
import type { Snapshot } from "../../snapshot/read/snapshot.ts";
import type { DocumentOf } from "../contract/documents.ts";
import { tellClosedParts } from "../query/not-captured.ts";
import { type Document, PINNED_ROUTE } from "./route.ts";

/** `GET /api/`: every endpoint with its parameters, all other routes, which snapshot answers, and what could not be had. */
export function describeIndex(snapshot: Snapshot, documents: readonly Document[]): DocumentOf<"Index"> {
  const states = snapshot.endpointStates();
  const stateOf = (dataset: string) => {
    const { state, since } = states.get(dataset) ?? {};
    return state === undefined || state === "open" ? {} : { state, since };
  };
  const endpoints = ENDPOINTS.map(({ dataset, from = dataset, path, summary, parameters }) => ({
    method: "GET" as const,
    path,
    summary,
    ...stateOf(from),
    parameters: parameters.map((parameter) => ({
      name: parameter.name,
      ...(isRequired(parameter)
        ? { required: true as const }
        : { default: "default" in parameter ? parameter.default : "all" }),
      allowed: describeAllowed(parameter),
    })),
  }));
  const others = documents.map(({ method, route, summary }) => ({ method, path: route, summary, parameters: [] }));
  const { version, started_at, game_version, heroes, rolling, licence, attribution } = snapshot.head;
  const sample = isSample(snapshot.head);
  const closed = tellClosedParts(snapshot);
  return {
    code: 0,
    message: "OK",
    data: {
      snapshot: { version, started_at, game_version, heroes, sample, rolling: rolling === 1, closed },
      pinned: `${PINNED_ROUTE}/api/`,
      endpoints: [...endpoints, ...others],
      licence,
      attribution,
    },
  };
}
