import { readPath } from "../../api/body/path.ts";
import { readId } from "../../api/body/scalars.ts";
import { sliceId } from "../../api/endpoint.ts";
import { HERO_IDENTIFIER } from "../../api/request/path-parameter.ts";
import { ROSTER } from "../ask/ask-page.ts";
import { recordsIn } from "../refresh/base.ts";
import type { DoubtCheck } from "./check.ts";

/**
 * Doubts a list with other heroes than this crawl has planned for, or than the snapshot that it builds on has, as a damaged list costs a
 * day's requests. It is examined before there is a plan, and accepted if it is the same twice.
 */
export const roster: DoubtCheck = {
  name: "roster",
  looks: 1,
  mustComeTwice: true,
  ifItStays: "believe",
  find({ answered, run: { journal, options } }) {
    const known = journal.getState("roster") ?? recordsIn(options.base, ROSTER)?.map(heroOf);
    const stored = answered.find(({ slice }) => sliceId(slice) === sliceId(ROSTER));
    if (!known || !stored) return [];
    const named = new Set(journal.records(stored).map(heroOf));
    const [come, gone] = [named.difference(new Set(known)), new Set(known).difference(named)];
    if (come.size + gone.size === 0) return [];
    const why = `the list of heroes has ${come.size} new ones and lacks ${gone.size}`;
    return [{ name: "roster", why, suspects: [{ stored, seen: [...named].sort((a, b) => a - b).join() }] }];
  },
};

/** The id in a record of the list of heroes. Each answer was checked for it. */
export const heroOf = (record: unknown) => readId(readPath(record, HERO_IDENTIFIER.id)) ?? 0;
