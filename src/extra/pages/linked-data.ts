import { LANGUAGES } from "../../api/enumerations.ts";
import { isSample } from "../../api/sample-data.ts";
import type { PageContext } from "./page.ts";

/** The snapshot as a `Dataset` of schema.org, for search engines and catalogues of data. */
export function describeDataset({ snapshot, facts, published, publicUrl }: PageContext): object {
  const { version, started_at, heroes, licence, attribution } = snapshot.head;
  const file = published();
  const madeUp = isSample(snapshot.head);
  const addressIn = (path: string) => `${publicUrl ?? ""}${path}`;
  return {
    "@context": "https://schema.org",
    "@type": "Dataset",
    name: `Game hero data, mirrored${madeUp ? " (made-up data)" : ""}`,
    description: `${heroes} heroes of a game in ${facts.langs.length} of ${LANGUAGES.length} languages: texts, skills, win, pick and ban rates by rank and window, counters, team mates and builds, as a JSON API and as one SQLite file.${madeUp ? " The numbers are made up, to try things on." : ""}`,
    ...(publicUrl !== undefined && { url: `${publicUrl}/` }),
    version,
    dateModified: started_at,
    inLanguage: facts.langs,
    isAccessibleForFree: true,
    creditText: attribution,
    license: { "@type": "CreativeWork", name: licence },
    keywords: ["heroes", "win rate", "pick rate", "ban rate", "counters", "SQLite", "JSON API"],
    ...(file && {
      distribution: [
        {
          "@type": "DataDownload",
          encodingFormat: "application/vnd.sqlite3",
          contentUrl: addressIn(`/snapshots/${file.version}.sqlite`),
          contentSize: `${file.size} B`,
          sha256: file.sha256,
        },
      ],
    }),
  };
}
