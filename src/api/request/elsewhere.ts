import type { Endpoint } from "../endpoint.ts";
import { ENDPOINTS } from "../endpoints.ts";

/** Routes of the upstream that a mirror does not have: their paths, and what they are for. */
const NOT_MIRRORED: readonly [paths: RegExp, what: string][] = [
  [/^\/api\/heroes\/(?:[^/]+\/)?wallpapers\/?$/, "wallpapers"],
  [/^\/api\/esports(?:\/|$)/, "esports"],
  [/^\/api\/user(?:\/|$)/, "player data"],
  [/^\/api\/regions?(?:\/|$)/, "regions"],
  [/^\/api\/academy\/recommended(?:\/|$)/, "user-made guides"],
  [/^\/api\/addon(?:\/|$)/, "tools besides the calculator"],
];

const byFormerName = new Map<string, Endpoint>(
  ENDPOINTS.flatMap((endpoint) => (endpoint.formerly ? [[endpoint.formerly, endpoint]] : [])),
);

/** A hero is taken over as it stands there, if it is short and plain. */
const FORMER_PATH = /^\/api\/(?:mlbb\/)?([a-z-]+)(?:\/([!-.0-~]{1,200}))?\/?$/;

/** A sentence for a path that is not mirrored or has another name today; undefined for any other path. */
export function hintElsewhere(pathname: string): string | undefined {
  const what = NOT_MIRRORED.find(([paths]) => paths.test(pathname))?.[1];
  if (what) return `Routes of the upstream for ${what} are not mirrored; GET /api/ lists those that are.`;
  const path = findPathOfToday(pathname);
  return path && `This path is now ${path}; GET /api/ lists every endpoint.`;
}

function findPathOfToday(pathname: string): string | undefined {
  const [, name = "", hero] = FORMER_PATH.exec(pathname) ?? [];
  const path = byFormerName.get(name)?.path;
  return hero === undefined ? path : path?.replace(/\{\w+\}/, () => hero);
}
