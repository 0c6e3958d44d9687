import manifest from "../../../package.json" with { type: "json" };
import type { Endpoint } from "../../api/endpoint.ts";
import type { Snapshot } from "../../snapshot/read.ts";
import type { Cache } from "../response/cache.ts";
import type { ResponseMeta } from "../response/http-response.ts";
import { createRepresentation, type Representation, representText } from "../response/representation.ts";
import { createAnswers } from "./answers.ts";

/** One snapshot made ready to answer. Its pages are kept under keys of its own. */
export interface Edition extends ResponseMeta {
  snapshot: Snapshot;
  answer(endpoint: Endpoint, identifier: string | undefined, query: URLSearchParams): Answer;
  /** A page of JSON that says something of the snapshot or of this program. */
  document(name: string, describe: () => object): Answer;
}

export interface Answer {
  /** Tells the page from all others. */
  key: string;
  page: Representation;
}

/** The bytes depend on the data, on the query, and on how this program writes them. */
const WRITER = `metasnap/${manifest.version}`;

/** Seconds after which a cache asks again, and for which it may go on while it asks, or while nobody answers. */
export const forSeconds = (maxAge: number) =>
  `public, max-age=${maxAge}, stale-while-revalidate=${12 * maxAge}, stale-if-error=86400`;

export const FOR_EVER = "public, max-age=31536000, immutable";

let count = 0;

export function createEdition(snapshot: Snapshot, cache: Cache, cacheControl: string, publishedAt?: Date): Edition {
  const { version, content_hash, started_at } = snapshot.head;
  count += 1;
  // Two files may go by one name, one after the other.
  const prefix = `${count} `;
  const answers = createAnswers(snapshot, (key, make, weigh) => cache.getOrCreate(prefix + key, make, weigh));
  const seed = `${WRITER} ${content_hash}`;

  function toPage(name: string, produce: () => Representation): Answer {
    const key = prefix + name;
    return { key, page: cache.getRepresentation(key, produce) };
  }

  return {
    version,
    startedAt: started_at,
    snapshot,
    lastModified: (publishedAt ?? new Date(started_at)).toUTCString(),
    cacheControl,
    answer(endpoint, identifier, query) {
      const question = answers.ask(endpoint, identifier, query);
      return toPage(question.canonical, () =>
        createRepresentation(`${seed} ${question.canonical}`, answers.answer(question)),
      );
    },
    document: (name, describe) => toPage(name, () => representText(JSON.stringify(describe()))),
  };
}
