import { type Slice, sliceId } from "../../../src/api/endpoint.ts";
import { endpointOf } from "../../../src/api/endpoints.ts";
import { type Json, readJson, writeJson } from "../json.ts";
import { sliceOfRequest, toRequest } from "../slice-requests.ts";
import { startUpstream } from "../upstream/upstream.ts";
import { answerRecords, isMutated, type Mutation, mutateRecords, replaceRecords } from "./mutate.ts";

/** A slice whose records were sent. */
interface Sent {
  slice: Slice;
  /** Those that apply. */
  mutations: readonly Mutation[];
  /** Each record as it is sent, by the text that the sample sends for it, whatever page it comes on. */
  records: ReadonlyMap<string, Json>;
}

/** The sample of a few heroes behind a server that changes its answers, the same way each time. */
export async function startMutating(heroes: number) {
  /** The bodies of each slice with all its records, as the sample sends them. */
  const clean = new Map<string, { slice: Slice; body: string }>();
  const sent = new Map<string, Sent>();
  let mutations: readonly Mutation[] = [];

  const upstream = await startUpstream(heroes, undefined, (path, body) => {
    const slice = sliceOfRequest(path);
    if (!slice || !body.startsWith('{"code":0,')) return body;
    const id = sliceId(slice);
    // The first request for a slice is always for all of it.
    if (!clean.has(id)) clean.set(id, { slice, body });
    const { records, mutations: own } = sent.get(id) ?? mutate(slice, body);
    if (own.length === 0) return body;
    const page = replaceRecords(endpointOf(slice.dataset).wrapping, readJson(body), (record) => {
      return records.get(writeJson(record)) ?? record;
    });
    return writeJson(page);
  });

  function mutate(slice: Slice, body: string): Sent {
    const { wrapping } = endpointOf(slice.dataset);
    const originals = answerRecords(wrapping, readJson(body));
    let records = originals;
    const own = mutations.filter((mutation) => {
      if (!isMutated(mutation, slice)) return false;
      const changed = mutateRecords(records, mutation, foreignTo(slice));
      records = changed ?? records;
      return changed !== undefined;
    });
    const pairs = originals.map((record, at): [string, Json] => [writeJson(record), records[at] ?? null]);
    const made = { slice, mutations: own, records: new Map(pairs) };
    sent.set(sliceId(slice), made);
    return made;
  }

  /** The records of the next hero. */
  function foreignTo(slice: Slice): Json[] {
    const hero = ((slice.hero ?? 0) % heroes) + 1;
    const next = slice.hero === undefined ? undefined : clean.get(sliceId({ ...slice, hero }));
    return next ? answerRecords(endpointOf(slice.dataset).wrapping, readJson(next.body)) : [];
  }

  return {
    ...upstream,
    clean: () => [...clean.values()],
    sent: () => [...sent.values()],
    /** Answers so from now on, and forgets what it has sent. */
    set(next: readonly Mutation[]) {
      mutations = next;
      sent.clear();
    },
  };
}

export type MutatingUpstream = Awaited<ReturnType<typeof startMutating>>;

/** Asks for all records of a slice. */
export const toWhole = (slice: Slice) => toRequest(slice, { size: 200, index: 1 });
