import { keyOf, type Slice } from "../../src/api/endpoint.ts";
import { endpointOf } from "../../src/api/endpoints.ts";
import type { Failure } from "../../src/api/failure.ts";
import { valuesAt } from "../../src/api/path.ts";
import { HERO, SUBJECT } from "../../src/api/path-parameter.ts";
import type { Night } from "../../src/snapshot/night.ts";
import type { MutatingUpstream } from "./mutating-upstream.ts";
import { type Mutation, toRequest } from "./mutations.ts";
import { isNeeded } from "./questions.ts";
import { mayRefuse, wordOf } from "./refusals.ts";

export interface Event {
  event: string;
  [fact: string]: unknown;
}

/** What a crawl and its build came to. Whatever else is thrown is a fault of ours. */
export interface Ended {
  events: Event[];
  night?: Night;
  failure?: Failure;
}

export interface Blamed {
  mutation: Mutation;
  reason: string;
}

/** The mutations that had the right to end a crawl so. Throws where there is none: nothing needed was odd. */
export async function explainFailure(
  upstream: MutatingUpstream,
  mutations: readonly Mutation[],
  { failure, events }: Ended,
): Promise<Blamed[]> {
  const renamed = await findRenamed(upstream);
  const faults = events.filter(({ event }) => event === "fault") as unknown as (Slice & { detail: string })[];
  const blamed = faults.length > 0 ? [] : [...renamed, ...findDrifted(mutations, failure?.message ?? "")];
  for (const fault of new Map(faults.map((one) => [keyOf(one), one])).values()) {
    const found = await explainFault(upstream, fault, renamed);
    if (found.length === 0) throw new Error(`${keyOf(fault)} is refused without need: ${fault.detail}`);
    blamed.push(...found);
  }
  const once = [...new Map(blamed.map((one) => [one.mutation, one])).values()];
  if (once.length === 0) throw new Error(`exit ${failure?.exit} without need: ${failure?.message}`);
  return once;
}

async function explainFault(upstream: MutatingUpstream, fault: Slice, renamed: readonly Blamed[]): Promise<Blamed[]> {
  const response = await fetch(upstream.url + toRequest(fault, { size: 200, index: 1 }));
  const body = await response.text();
  const reason = response.status === 200 ? mayRefuse(fault, body) : undefined;
  // Whoever is named otherwise is asked otherwise.
  if (reason === undefined) return [...renamed];
  const { mutations } = await upstream.changedOf(fault);
  return mutations.map((mutation) => ({ mutation, reason: `${fault.dataset}: ${reason}` }));
}

/** What names other heroes or votes than there are: they are asked for, and others are not. */
async function findRenamed(upstream: MutatingUpstream): Promise<Blamed[]> {
  const named = [
    { list: HERO.list, at: HERO.id },
    ...(SUBJECT.kind === "word" ? [{ list: SUBJECT.list, at: SUBJECT.at }] : []),
  ];
  const found: Blamed[] = [];
  for (const { list, at } of named) {
    const { records, mutations } = await upstream.changedOf({ dataset: list, lang: "en" });
    const words = (texts: Iterable<string>) =>
      [...texts].flatMap((text) => valuesAt(JSON.parse(text), at).map(wordOf)).sort();
    if (String(words(records.keys())) === String(words(records.values()))) continue;
    found.push(...mutations.map((mutation) => ({ mutation, reason: `${list}: ${at} names others` })));
  }
  return found;
}

/** Another shape than in the night before may be refused where it concerns a needed field. */
function findDrifted(mutations: readonly Mutation[], message: string): Blamed[] {
  const [, dataset = "", path = ""] = /shape has changed: (\S+) \$\.?(\S*) was /.exec(message) ?? [];
  return mutations
    .filter((one) => one.at === dataset && path.startsWith(one.path) && isNeeded(endpointOf(dataset), path))
    .map((mutation) => ({ mutation, reason: `${dataset}: ${path} is needed, and has drifted` }));
}
