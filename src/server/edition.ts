import manifest from "../../package.json" with { type: "json" };
import type { Snapshot } from "../snapshot/read.ts";
import { createAnswers, type Question } from "./answers.ts";
import { describeIndex } from "./catalogue.ts";
import { describeAge, finish, type Page } from "./page.ts";
import type { Origin } from "./reply.ts";

/** One snapshot made ready to answer. */
export interface Edition extends Origin {
  version: string;
  snapshot: Snapshot;
  ask: ReturnType<typeof createAnswers>["ask"];
  answer(question: Question): Page;
  index(): Page;
}

/** The bytes depend on the data, on the query, and on how this program writes them. */
const WRITER = `metasnap/${manifest.version}`;

/** Seconds after which a cache asks again, and for which it may go on while it asks, or while nobody answers. */
export const forSeconds = (maxAge: number) =>
  `public, max-age=${maxAge}, stale-while-revalidate=${12 * maxAge}, stale-if-error=86400`;

export const FOR_EVER = "public, max-age=31536000, immutable";

export function createEdition(snapshot: Snapshot, cacheControl: string, publishedAt?: Date): Edition {
  const { version, content_hash, started_at } = snapshot.head;
  const { ask, answer } = createAnswers(snapshot);
  const startedAt = Date.parse(started_at);
  const seed = `${WRITER} ${content_hash}`;
  return {
    version,
    snapshot,
    lastModified: (publishedAt ?? new Date(startedAt)).toUTCString(),
    cacheControl,
    about: () => describeAge(version, startedAt),
    ask,
    answer: (question) => finish(`${seed} ${question.canonical}`, answer(question)),
    index: () => {
      const text = JSON.stringify(describeIndex(snapshot.head));
      return finish(text, text);
    },
  };
}
