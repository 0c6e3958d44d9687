import { hash, hashText } from "../numbers/hash.ts";
import type { Part, Silence } from "../troubles/forms.ts";
import { createTroubles } from "../troubles/troubles.ts";
import { createAnswers, findRoute, type Route } from "./answers.ts";
import type { Reply } from "./failures.ts";
import { createLog, type Logged } from "./log.ts";
import { isPage } from "./paging.ts";
import type { Slice } from "./slice.ts";
import { checkState, type State } from "./state.ts";

/** The state in which a slice was answered, and the change of its data. */
interface Given {
  state: State;
  change: (data: unknown, part: Part) => unknown;
}

const ALL = { size: Number.MAX_SAFE_INTEGER, index: 1 };

/** Called with each request and its number in the night before it is answered. It may change the state for it. */
export type OnRequest = (ofNight: number, request: string) => unknown;

/** Splits a target into path and query. */
export function splitTarget(target: string): [path: string, search: string] {
  const mark = target.indexOf("?");
  return mark < 0 ? [target, ""] : [target.slice(0, mark), target.slice(mark + 1)];
}

/** The service in its state. It remembers its questions and answers. */
export function createService(first: State, now: () => number, onRequest?: OnRequest) {
  const log = createLog();
  /** Answers by slice, in the order of time. */
  const given = new Map<string, Given[]>();
  let state = checkState(first);
  let answers = createAnswers(state);
  let meet = createTroubles(state);
  /** Answers of earlier states, made again for `lastAnswer`. */
  const earlier = new Map<State, typeof answers>();

  function set(change: Partial<Omit<State, "seed">>): void {
    state = checkState({ ...state, ...change });
    answers = createAnswers(state);
    meet = createTroubles(state);
    earlier.clear();
    if (change.day !== undefined) log.begin();
  }

  function note(request: string): Logged {
    const logged = log.note(state.day, request);
    onRequest?.(log.place(request).ofNight, request);
    return logged;
  }

  function remember(slice: Slice, change: Given["change"]): void {
    const key = JSON.stringify(slice);
    const all = given.get(key) ?? [];
    const last = all.at(-1);
    if (last?.state === state && last.change === change) return;
    given.set(key, all);
    all.push({ state, change });
  }

  function answersIn(then: State): typeof answers {
    if (then === state) return answers;
    const made = earlier.get(then) ?? createAnswers(then);
    earlier.set(then, made);
    return made;
  }

  function reply(logged: Logged, route: Route, target: string): Reply | Silence {
    if (route.kind === "fixed") return { status: 200, body: route.body(state) };
    const question = answers.read(route, ...splitTarget(target));
    const { slice, query } = question;
    if (!slice) return answers.answer(question);
    const place = log.place(logged.request);
    const salt = hash(state.seed, state.day, hashText(target), place.ofPath);
    const asked = { slice, size: query.size, index: query.index, target, salt, time: new Date(now()).toISOString() };
    const { forms, instead, size, change } = meet(asked, place);
    Object.assign(logged, { slice, forms });
    if (instead) return instead;
    const right = answers.answer({ ...question, query: { ...query, size } });
    if (right.status !== 200) return right;
    logged.isAnswered = true;
    remember(slice, change);
    const body = right.body as { data?: unknown };
    return forms.length === 0 ? right : { ...right, body: { ...body, data: change(body.data, { ...asked, size }) } };
  }

  /** The records that a target last got, on all pages, until the end of a day. Undefined if it got no answer. */
  function lastAnswer(target: string, until = Number.POSITIVE_INFINITY) {
    const [path, search] = splitTarget(target);
    const route = findRoute(path);
    if (!route || route.kind === "fixed") throw new RangeError(`${path} is no endpoint`);
    const { slice } = answers.read(route, path, search);
    const last = given.get(JSON.stringify(slice))?.findLast(({ state: { day } }) => day <= until);
    if (!last || !slice) return undefined;
    const { read, answer } = answersIn(last.state);
    const question = read(route, path, search);
    const { body } = answer({ ...question, query: { ...question.query, ...ALL } });
    const data = last.change((body as { data: unknown }).data, { slice, ...ALL });
    return { day: last.state.day, records: isPage(data) ? data.records : [data] };
  }

  return { log, set, note, reply, lastAnswer };
}
