import { hash } from "node:crypto";
import { escapeMarkup } from "../../base/markup.ts";
import { PROGRAM_VERSION } from "../query/snapshot-handle.ts";
import type { SnapshotFacts } from "../response/http-response.ts";
import { type Site, siteAddress } from "../routes/route.ts";
import { type FeedNight, toFeedDate } from "./feed.ts";

/** An Atom feed (RFC 4287) with an entry for each night. Every mirror of a night gives its entry the same id. */
export function writeAtom(nights: readonly FeedNight[], snapshot: SnapshotFacts, site: Site): string {
  const { publicUrl } = site;
  const path = "/changes.atom";
  const madeUp = snapshot.sample ? " (made-up data)" : "";
  const updated = nights[0]?.startedAt ?? toFeedDate(snapshot.startedAt) ?? new Date(0);
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
<id>${publicUrl === undefined ? nameUuid(`feed${madeUp}`) : escapeMarkup(publicUrl + path)}</id>
<title>What changed in the hero data${madeUp}</title>
<updated>${updated.toISOString()}</updated>
<author><name>metasnap</name></author>
<generator version="${escapeMarkup(PROGRAM_VERSION)}">metasnap</generator>
${publicUrl === undefined ? "" : `<link rel="self" type="application/atom+xml" href="${escapeMarkup(publicUrl + path)}"/>\n`}${nights.map((night) => writeEntry(night, site, madeUp)).join("")}</feed>
`;
}

function writeEntry({ version, startedAt, sha256, short, lines }: FeedNight, site: Site, madeUp: string): string {
  const time = startedAt.toISOString();
  const html = `<ul>${lines.map((line) => `<li>${escapeMarkup(line)}</li>`).join("")}</ul>`;
  const page = site.hasPages
    ? `\n<link rel="alternate" type="text/html" href="${escapeMarkup(siteAddress(site, `/changes?night=${version}`))}"/>`
    : "";
  return `<entry>
<id>${nameUuid(`night ${version} ${sha256}`)}</id>
<title>${escapeMarkup(`Night of ${time.slice(0, 10)}: ${short}${madeUp}`)}</title>
<updated>${time}</updated>${page}
<link rel="alternate" type="application/json" href="${escapeMarkup(siteAddress(site, `/snapshots/${version}/changes.json`))}"/>
<summary>${escapeMarkup(short)}</summary>
<content type="html">${escapeMarkup(html)}</content>
</entry>
`;
}

/** A UUID of version 8 (RFC 9562), made of a name. */
function nameUuid(name: string): string {
  const hex = hash("sha256", `metasnap ${name}`);
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
