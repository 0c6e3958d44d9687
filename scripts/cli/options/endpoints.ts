import { ENDPOINTS } from "../../../src/api/endpoints.ts";
import { words } from "../command.ts";

const NAMES = ENDPOINTS.flatMap(({ dataset, path }) => [dataset, path]);

/** Endpoints, each by its dataset or its path. */
export const endpointNames = (flags: string, description: string) => words(flags, description, NAMES);

export const findEndpoints = (names: readonly string[]) =>
  ENDPOINTS.filter(({ dataset, path }) => names.includes(dataset) || names.includes(path));
