import { type Act, edit, editFirst, type Fields, OK } from "./encounter.ts";
import {
  AT_ALL,
  AT_BUILDS,
  AT_HEROES,
  AT_LIST,
  AT_RELATIONS,
  AT_VERSIONS,
  failing,
  lacking,
  listless,
  meeting,
  taken,
} from "./row.ts";

/** A body of so many bytes. */
const pad =
  (size: number): Act =>
  ({ send, honest: { body } }) =>
    send(body.toString().replace(/^\{/, `{"padding":"${"p".repeat(size - body.length)}",`));

/** Answers with so many versions of the game, each on a page of its own. */
const versions = (total: (index: number) => number, size = 0) =>
  editFirst((page, id) => {
    const [first] = page.data.records;
    page.data = { records: [{ ...first, id, p: "p".repeat(size) }], total: total(id) };
  });
const count = (total: number) => () => total;
const more = (index: number) => index + 3;
const manyMore = (index: number) => 10 ** (index + 8);

/** Answers with so many heroes on each page, in lists of so many. */
const heroes = (count: number, total: number) =>
  editFirst((page, index) => {
    const [first] = page.data.records;
    const records = Array.from({ length: count }, (_, n) => ({
      ...first,
      data: { ...(first?.data as Fields), hero_id: (index - 1) * count + n + 1 },
    }));
    page.data = { records, total };
  });

/** Acts in the list itself, but not when it is only counted. */
const inList =
  (act: Act): Act =>
  (encounter) =>
    /size=1&/.test(encounter.path) ? false : act(encounter);

/** Adds so many heroes whom nobody knows. */
const strangers = (count: number, id: string) =>
  edit(({ data }) => {
    const first = data.records[0]?.data as { relation: { assist: { target_hero_id: unknown[] } } };
    first.relation.assist.target_hero_id = new Array(count).fill(id);
  });

const repeat = editFirst(({ data }) => Object.assign(data, { total: 5 }));
const incomplete: Act = ({ socket }) =>
  void socket.write(`${OK}content-length: 4190000\r\n\r\n${"x".repeat(4_000_000)}`);

const hero = (id: number, name: string) => ({ data: { hero_id: id, hero: { data: { name, head: "h" } } } });
const longNames = edit((page) => {
  for (let id = page.data.records.length + 1; id <= 200; id += 1) page.data.records.push(hero(id, "n".repeat(30_000)));
  page.data.total = 200;
});
const longerNames = edit(({ data: { records } }) => {
  for (const { data } of records as { data: { hero: { data: { name: string } } } }[])
    data.hero.data.name += "n".repeat(10_000);
});

const SKILLS = Array.from({ length: 15_000 }, (_, id) => {
  const data = { skillshortdesc: `text ${id}`, __data: { skillname: `name ${id}`, skilldesc: `long ${id}` } };
  return { skillid: id, battleskill: { data } };
});
const inFirst = (more: object) =>
  edit(({ data: { records } }) => void Object.assign((records[0]?.data as Fields | undefined) ?? {}, more));

const GROWN = /^the upstream names 1500 heroes, .* none of them was asked for; .*--allow-growth$/;
const slow = { slow: true, seconds: 15 } as const;
const wide = { ...slow, args: ["--concurrency", "16"] };
const brief = { ...slow, seconds: 30, args: ["--concurrency", "16", "--timeout", "4"] };

/** More of everything than the service has. */
export const SIZES = {
  "key-of-a-megabyte": taken("a key of a megabyte", inFirst({ ["k".repeat(1_000_000)]: 1 }), slow),
  "objects-million": failing("oversized", "1,300,000 objects", inFirst({ o: new Array(1_300_000).fill({}) }), slow),
  "pages-that-repeat": failing("repeated-record", "the same record on each page", repeat),
  ...meeting(AT_VERSIONS, {
    "pages-fat": lacking("oversized", "33 pages of a megabyte", versions(count(33), 1_000_000), slow),
    "pages-thousand": taken("1,000 pages", versions(count(1000)), slow),
    "pages-1500": lacking("wrong-total", "1,500 pages", versions(count(1500)), slow),
    "pages-without-end": lacking("oversized", "pages without end", versions(manyMore)),
    "pages-that-grow": lacking("wrong-total", "another total on each page", versions(more)),
  }),
  ...meeting(AT_BUILDS, {
    "texts-to-remember": failing("oversized", "15,000 skills", inFirst({ build: SKILLS }), slow),
  }),
  ...meeting(AT_RELATIONS, {
    "strangers-million": failing("oversized", "relations with 1,300,000 heroes", strangers(1_300_000, ""), slow),
    "strangers-190000": taken("relations with 190,000 heroes", strangers(190_000, "?"), { ...slow, seconds: 60 }),
  }),
  ...meeting(AT_LIST, {
    "heroes-1500": taken("1,500 heroes", inList(heroes(1500, 1500)), { code: 3, says: GROWN }),
    "heroes-9000": listless(3, "oversized", "9,000 heroes", inList(heroes(9000, 9000)), slow),
    "heroes-in-pages": listless(3, "oversized", "5,000 heroes, 200 a page", heroes(200, 5000)),
    "names-of-30-kb": listless(3, "oversized", "200 heroes with names of 30 kB", inList(longNames), slow),
    "names-of-10-kb": taken("names of 10 kB", inList(longerNames)),
  }),
  ...meeting(AT_ALL, {
    "json-7mb": listless(3, "oversized", "7 MB everywhere", pad(7e6), wide),
    "json-4mb": taken("4.1 MB everywhere", pad(4_100_000), { ...wide, seconds: 30, megabytes: 400 }),
  }),
  ...meeting(AT_HEROES, {
    "json-7mb-of-heroes": failing("oversized", "7 MB for each hero", pad(7e6), wide),
    "bodies-under-way": failing("oversized", "4 MB for each hero, and no end", incomplete, {
      ...brief,
      // Which of the two comes first is the machine's.
      reasons: ["oversized", "timeout"],
    }),
  }),
};
