import { LANG_CODES } from "../../../src/api/enumerations.ts";
import type { Attack } from "./attack.ts";
import type { Asked, Conversation } from "./conversation.ts";
import { get } from "./requests.ts";

const CODINGS = ["br", "zstd", "gzip"] as const;
const LISTS = ["/api/academy/equipment/expanded", "/api/heroes/positions", "/api/heroes"];

/** One of many pages that differ, so that no coded one can serve for two. */
function page(at: number, accepts: string): { bytes: string; asked: Asked } {
  const lang = LANG_CODES[at % LANG_CODES.length];
  const size = 60 + (Math.floor(at / LANG_CODES.length) % 60);
  const path = LISTS[Math.floor(at / 60 / LANG_CODES.length) % LISTS.length] ?? "";
  const bytes = get(`${path}?size=${size}&lang=${lang}`, `accept-encoding: ${accepts}\r\n`);
  return { bytes, asked: { method: "GET", path, status: [200], size, accepts } };
}

function pipelined(name: string, count: number, accepts: string): Conversation {
  const pages = Array.from({ length: count }, (_, at) => page(at, accepts));
  const asked = pages.map((one) => one.asked);
  return { name, pieces: [pages.map(({ bytes }) => bytes).join("")], asked, answers: "all" };
}

export const CODINGS_ASKED: readonly Attack[] = [
  ...CODINGS.map(
    (coding): Attack => ({
      name: `codings: ${coding} on one connection`,
      together: 1,
      cases: (draw) => [pipelined(coding, draw.many(400, 100), coding)],
    }),
  ),
  {
    name: "codings: one page each on 200 connections",
    together: 200,
    cases: () =>
      Array.from({ length: 200 }, (_, at) => {
        const accepts = CODINGS[at % CODINGS.length] ?? "";
        const { bytes, asked } = page(at, accepts);
        return { name: accepts, pieces: [bytes], asked: [asked], answers: "all" as const, overload: true };
      }),
  },
  {
    name: "codings: every coding on several connections that stop reading",
    together: 12,
    cases: (draw) =>
      CODINGS.flatMap((coding) =>
        Array.from({ length: 4 }, (_, at) => ({
          ...pipelined(`${coding} ${at}`, draw.many(400, 150), coding),
          answers: "any" as const,
          overload: true,
          deaf: true,
          leaves: draw.many(6000, 1500),
        })),
      ),
  },
];
