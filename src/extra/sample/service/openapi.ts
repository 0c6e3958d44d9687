import { ACADEMY_HERO_ENDPOINTS, ACADEMY_LISTS } from "./academy.ts";
import { HERO_ENDPOINTS, LIST_ENDPOINTS } from "./endpoints.ts";
import { OTHER_ENDPOINTS } from "./other-endpoints.ts";
import { PARAMETERS } from "./query.ts";

/** Paths that have no entry in the endpoint tables, with their methods. */
const OTHER_PATHS = {
  "/api/": "GET",
  "/api/openapi.json": "GET",
  "/api/user/auth/send-vc": "POST",
  "/api/user/auth/login": "POST",
  "/api/user/auth/logout": "POST",
  "/api/user/info": "GET",
} as const;

const endpoints = [
  ...[...LIST_ENDPOINTS, ...ACADEMY_LISTS],
  ...[...HERO_ENDPOINTS, ...ACADEMY_HERO_ENDPOINTS],
  ...OTHER_ENDPOINTS,
];
type Described = { name?: string; required?: boolean; schema: object };
const answers = { 200: { description: "OK" } };

export const INDEX = {
  code: 0,
  message: "OK",
  data: {
    sample: "Made-up numbers for real heroes, to try programs on.",
    endpoints: [
      ...endpoints.map(({ path, summary }) => ({ method: "GET", path, summary })),
      ...Object.entries(OTHER_PATHS).map(([path, method]) => ({ method, path })),
    ],
  },
};

export const ENDPOINT_PATHS: readonly string[] = endpoints.map(({ path }) => path);

const dataPaths = endpoints.map(({ path, summary, parameters }) => {
  const query = parameters.map((key) => {
    const { name = key, required, schema }: Described = PARAMETERS[key];
    return { name, in: "query", ...(required && { required }), schema };
  });
  const [, name] = /\{(\w+)\}/.exec(path) ?? [];
  const named = name ? [{ name, in: "path", required: true, schema: { type: "string" } }] : [];
  const all = [...named, ...query];
  const responses = { ...answers, 422: { description: "Invalid parameters" } };
  return [path, { summary, parameters: all, responses }] as const;
});

const otherPaths = Object.entries(OTHER_PATHS).map(([path, method]) => {
  return [path, { [method.toLowerCase()]: { responses: answers } }];
});

/** The document, which marks deprecated paths. */
export const describeApi = (isDeprecated: (path: string) => boolean) => ({
  openapi: "3.1.0",
  info: { title: "Sample game data service", version: "1.0.2" },
  paths: {
    ...Object.fromEntries(
      dataPaths.map(([path, get]) => [path, { get: isDeprecated(path) ? { ...get, deprecated: true } : get }]),
    ),
    ...Object.fromEntries(otherPaths),
  },
});
