import { type Slice, sliceId } from "../../../src/api/endpoint.ts";
import { endpointOf } from "../../../src/api/endpoints.ts";
import { startSample } from "../../../src/sample/service/server.ts";
import { startServer } from "../server.ts";
import { type Json, parseJson } from "./json.ts";
import { mutateEnvelope, mutateRecords, recordsOf, replaceRecords } from "./mutate.ts";
import { isMeant, type Mutation, readRequest, toRequest } from "./mutations.ts";
import { ENVELOPE } from "./paths.ts";

/** What has become of one slice. */
export interface Mutated {
  slice: Slice;
  /** Those that apply. */
  mutations: readonly Mutation[];
  /** The records by the text that the sample sends for them, whatever page they come on. */
  records: ReadonlyMap<string, string>;
}

interface Reply {
  status: number;
  type: string;
  body: string;
}

export type MutatingUpstream = Awaited<ReturnType<typeof startMutating>>;

/** More records than any list of the sample has. */
const WHOLE = { size: 1000, index: 1 };

/** The sample of a few heroes behind a server that changes its answers, the same way each time. */
export async function startMutating(heroes: number) {
  const sample = await startSample({ heroes });
  const clean = new Map<string, Promise<Reply>>();
  let mutations: readonly Mutation[] = [];
  /** By slice. */
  let changed = new Map<string, Promise<Mutated>>();
  /** By request: what was sent last. */
  const sent = new Map<string, string>();

  function askSample(path: string): Promise<Reply> {
    const known = clean.get(path) ?? fetchReply(sample.url + path);
    clean.set(path, known);
    return known;
  }

  async function answer(path: string): Promise<Reply> {
    const reply = await askSample(path);
    const slice = readRequest(path)?.slice;
    if (!slice || reply.status !== 200 || !mutations.some((one) => isMeant(one, slice))) return reply;
    const { records, mutations: own } = await changedOf(slice);
    const { wrapping } = endpointOf(slice.dataset);
    const page = replaceRecords(wrapping, parseJson(reply.body), (record) => {
      const text = records.get(record.text);
      return text === undefined ? record : parseJson(text);
    });
    const envelope = own.find(({ path: place }) => place === ENVELOPE);
    return { ...reply, body: (envelope && mutateEnvelope(page, envelope.kind)) ?? page.text };
  }

  function changedOf(slice: Slice): Promise<Mutated> {
    const key = sliceId(slice);
    const known = changed.get(key) ?? mutate(slice);
    changed.set(key, known);
    return known;
  }

  async function mutate(slice: Slice): Promise<Mutated> {
    const own = mutations.filter((one) => isMeant(one, slice));
    const originals = await readRecords(slice);
    let records = originals;
    const applied: Mutation[] = [];
    for (const mutation of own) {
      if (mutation.path === ENVELOPE) applied.push(mutation);
      else {
        const next = mutateRecords(records, mutation, mutation.kind === "foreign" ? await readForeign(slice) : []);
        if (!next) continue;
        applied.push(mutation);
        records = records.map((record) => next.get(record) ?? record);
      }
    }
    const pairs = originals.map(({ text }, place): [string, string] => [text, records[place]?.text ?? text]);
    return { slice, mutations: applied, records: new Map(pairs) };
  }

  async function readRecords(slice: Slice): Promise<readonly Json[]> {
    const { status, body } = await askSample(toRequest(slice, WHOLE));
    return status === 200 ? recordsOf(endpointOf(slice.dataset).wrapping, parseJson(body)) : [];
  }

  /** Those of the next hero. */
  const readForeign = (slice: Slice) =>
    slice.hero === undefined ? [] : readRecords({ ...slice, hero: (slice.hero % heroes) + 1 });

  const server = await startServer(async (_, res, { url }) => {
    const { status, type, body } = await answer(url);
    sent.set(url, body);
    res.writeHead(status, { "content-type": type }).end(body);
  });

  return {
    url: server.url,
    sample,
    sent,
    /** Answers so from now on, and forgets what it has sent. */
    set(next: readonly Mutation[]) {
      mutations = next;
      changed = new Map();
      sent.clear();
    },
    /** What was changed of a slice, whether it was asked or not. */
    changedOf,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await sample.close();
    },
  };
}

async function fetchReply(url: string): Promise<Reply> {
  const response = await fetch(url);
  return { status: response.status, type: response.headers.get("content-type") ?? "", body: await response.text() };
}
