import { ENDPOINTS } from "../../../src/api/endpoints.ts";
import type { Parameter } from "../../../src/api/request/parameters.ts";
import type { Random } from "../random.ts";
import type { Attack } from "./attack.ts";
import type { Asked, Conversation } from "./conversation.ts";
import { LONG, many, NUMBERS, WORDS } from "./odd-values.ts";
import { fill, get, odd } from "./requests.ts";

const isNumber = ({ kind }: Parameter) => kind === "integer" || kind === "decimal";

/** What an endpoint needs beside the parameter that is tried. */
const needed = (parameters: readonly Parameter[], but: Parameter) =>
  parameters.flatMap((parameter) => {
    if (parameter === but || parameter.kind === "choices" || "default" in parameter) return [];
    return [`${parameter.name}=${parameter.kind === "choice" ? parameter.values[0] : parameter.examples?.[0]}`];
  });

/** Every parameter of every endpoint with every value, and what a path names too. */
function targets(random: Random): string[] {
  return ENDPOINTS.flatMap(({ path, parameters, identifier }) => {
    const named = fill(path, random).replace("{subject}", "1000001");
    const pairs = parameters.flatMap((parameter) => {
      const rest = needed(parameters, parameter);
      const values = isNumber(parameter) ? NUMBERS : WORDS;
      return values.map((value) => `${named}?${[...rest, `${parameter.name}=${value}`].join("&")}`);
    });
    if (!identifier) return pairs;
    const values = [...NUMBERS, ...WORDS].filter((value) => value !== "" && value !== "..");
    return [...pairs, ...values.map((value) => path.replace(/\{\w+\}/, value))];
  });
}

const ALLOWED = [200, 400, 404, 422, 503];
const asked = (path: string): Asked => ({ method: "GET", path, status: ALLOWED });

/** Four at once on one connection: what is slow stands still four times as long. */
function four(value: string, path: string): Conversation {
  const bytes = get(`${path}${value}`);
  return { name: `4 × ${path}`, pieces: [bytes.repeat(4)], asked: Array(4).fill(asked(path)), answers: "all" };
}

const NUMERIC = [
  "/api/heroes?size=",
  "/api/heroes?index=",
  "/api/heroes/rank?index=",
  "/api/addon/win-rate-calculator?wr-now=50&wr-future=75&match-now=",
  "/api/addon/win-rate-calculator?match-now=1&wr-future=75&wr-now=",
  "/api/addon/win-rate-calculator?match-now=1&wr-now=50&wr-future=",
  "/api/academy/ranks/",
  "/api/heroes/",
];
const REPEATED = [
  `/api/heroes/positions?${many(2300, "role=x&")}`.slice(0, 16_000),
  `/api/heroes/positions?${many(2100, "lane=y&")}role=z`.slice(0, LONG),
  `/api/academy/heroes?${many(1000, "role=tank&lane=")}`.slice(0, LONG),
  `/api/heroes/rank?${many(1200, "rank=x&days=")}`.slice(0, LONG),
  `/api/heroes?${many(7000, "&")}size=1`,
  `/api/heroes?${many(5000, "=&")}size=1`,
  `/api/heroes?${many(3000, "%00=&")}`.slice(0, LONG),
  `/api/heroes?size=1${many(500, "&lang=en&size=2&order=asc")}`.slice(0, LONG),
  `/api/heroes?${Array.from({ length: 1500 }, (_, at) => `k${at}=${at}`).join("&")}`.slice(0, LONG),
];

export const VALUES: readonly Attack[] = [
  {
    name: "values: long numbers, four at once",
    together: 1,
    cases: () =>
      NUMERIC.flatMap((path) => NUMBERS.filter(({ length }) => length > 1000).map((value) => four(value, path))),
  },
  {
    name: "values: every parameter",
    together: 16,
    cases: (draw) => draw.some(targets(draw), 400).map((path) => odd(`GET ${path}`, get(path), asked(path))),
  },
  {
    name: "values: keys again and again",
    together: 2,
    cases: () => REPEATED.map((path) => four("", path)),
  },
];
