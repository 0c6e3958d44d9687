import { escapeMarkup } from "../../../base/markup.ts";
import type { Snapshot } from "../../../snapshot/read/snapshot.ts";
import { factsOf } from "../facts.ts";
import { PAGES } from "../list.ts";
import { SITEMAP_ROUTE } from "./routes.ts";

/** A sitemap has at most 50 000 addresses (https://www.sitemaps.org/protocol.html); a foreign file may have any number of heroes. */
const MOST_ADDRESSES = 10_000;

/** Everything may be read. The line of the sitemap needs an absolute address. */
export const writeRobots = (publicUrl: string | undefined): string =>
  `User-agent: *\nDisallow:\n${publicUrl === undefined ? "" : `\nSitemap: ${publicUrl}${SITEMAP_ROUTE}\n`}`;

/** Every page in its first state; undefined without an absolute address. */
export function writeSitemap(snapshot: Snapshot, publicUrl: string | undefined): string | undefined {
  if (publicUrl === undefined) return undefined;
  const { heroes } = factsOf(snapshot);
  const paths = PAGES.flatMap(({ route }) =>
    route.includes("{id}") ? heroes.map(({ value }) => route.replace("{id}", value)) : [route],
  );
  const urls = paths
    .slice(0, MOST_ADDRESSES)
    .map((path) => `<url><loc>${escapeMarkup(publicUrl + path)}</loc></url>\n`);
  return `<?xml version="1.0" encoding="utf-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.join("")}</urlset>
`;
}
