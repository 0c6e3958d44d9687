import { HERO_ENDPOINTS, LIST_ENDPOINTS } from "./endpoints.ts";
import { PARAMETERS } from "./query.ts";

/** The endpoints outside the two tables, with their methods. */
export const OTHER_PATHS = {
  "/api/": "GET",
  "/api/openapi.json": "GET",
  "/api/user/auth/send-vc": "POST",
  "/api/user/auth/login": "POST",
  "/api/user/auth/logout": "POST",
  "/api/user/info": "GET",
} as const;

const endpoints = [...LIST_ENDPOINTS, ...HERO_ENDPOINTS];
const answers = { 200: { description: "OK" } };

export const INDEX = {
  code: 0,
  message: "OK",
  data: {
    endpoints: [
      ...endpoints.map(({ path, summary }) => ({ method: "GET", path, summary })),
      ...Object.entries(OTHER_PATHS).map(([path, method]) => ({ method, path })),
    ],
  },
};

const identifier = { name: "hero_identifier", in: "path", required: true, schema: { type: "string" } };

const dataPaths = endpoints.map(({ path, summary, parameters }) => {
  const query = parameters.map((name) => ({ name, in: "query", schema: PARAMETERS[name].schema }));
  const all = path.includes("{") ? [identifier, ...query] : query;
  const responses = { ...answers, 422: { description: "Invalid parameters" } };
  return [path, { get: { summary, parameters: all, responses } }];
});

const otherPaths = Object.entries(OTHER_PATHS).map(([path, method]) => {
  return [path, { [method.toLowerCase()]: { responses: answers } }];
});

export const OPENAPI = {
  openapi: "3.1.0",
  info: { title: "Sample game data service", version: "1.0.2" },
  paths: Object.fromEntries([...dataPaths, ...otherPaths]),
};
