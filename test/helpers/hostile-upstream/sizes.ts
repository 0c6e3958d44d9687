import {
  ALL,
  type Exchange,
  edit,
  ending,
  failing,
  LIST,
  listless,
  type Mode,
  OK,
  type Page,
  RELATIONS,
  taken,
} from "./mode.ts";

const pad =
  (size: number) =>
  ({ send, honest }: Exchange) => {
    const text = honest.toString();
    send(text.replace(/^\{/, `{"padding":"${"p".repeat(size - honest.length)}",`));
  };

const VERSIONS = /\/meta\/version\?/;

/** So many versions of the game, each on a page of its own. */
const versions = (total: (index: number) => number, size = 0) =>
  edit((page, { path }) => {
    const [first] = page.data.records;
    const id = Number(/index=(\d+)/.exec(path)?.[1]);
    page.data = { records: first ? [Object.assign(first, { id, p: "p".repeat(size) })] : [], total: total(id) };
  });
const asked = (...args: string[]) => ({ at: VERSIONS, args: ["--endpoints", "versions", ...args] });

const heroes = (count: number, from = 1) =>
  edit((page, { path }) => {
    if (/size=1&/.test(path)) return;
    const [first] = page.data.records;
    const records = Array.from({ length: count }, (_, n) => {
      const record = structuredClone(first) as { data: { hero_id: number } };
      record.data.hero_id = from + n;
      return record as Page["data"]["records"][number];
    });
    page.data = { records, total: count };
  });

const wrong = (count: number, id: string) =>
  edit((page) => {
    const data = page.data.records[0]?.data as { relation?: { assist?: { target_hero_id?: unknown[] } } } | undefined;
    if (data?.relation?.assist) data.relation.assist.target_hero_id = new Array(count).fill(id);
  });

const more = (change: (page: Page) => void) => edit((page, { path }) => void (/size=1&/.test(path) || change(page)));

/** Their bodies are large, and a busy machine needs more than a second to take one. */
const PATIENT = ["--timeout", "30"];

/** More of everything than the service has. */
const MODES: Mode[] = [
  listless("json-7mb-all", "oversized", pad(7e6), { at: ALL, seconds: 12, args: ["--concurrency", "16"] }),
  failing("json-7mb-but-the-list", "oversized", pad(7e6), {
    at: /\/heroes\/\d/,
    args: ["--concurrency", "16"],
    seconds: 15,
  }),
  taken("json-4mb-all", pad(4_100_000), { at: ALL, args: ["--concurrency", "16"], seconds: 30, megabytes: 400 }),
  failing(
    "bodies-under-way",
    "oversized",
    ({ socket }) => void socket.write(`${OK}content-length: 4190000\r\n\r\n${"x".repeat(4_000_000)}`),
    {
      at: /\/heroes\/\d/,
      args: ["--concurrency", "16", "--timeout", "4", "--endpoints", "trends,counters,compatibility,skill-combos"],
      seconds: 30,
    },
  ),
  failing(
    "pages-fat",
    "oversized",
    versions(() => 33, 1_000_000),
    { ...asked(), seconds: 15 },
  ),
  taken(
    "pages-thousand",
    versions(() => 1000),
    asked(),
  ),
  failing(
    "pages-without-end",
    "oversized",
    versions((index) => 10 ** (index + 8)),
    asked(),
  ),
  failing(
    "pages-1500",
    "wrong-total",
    versions(() => 1500),
    asked("--attempts", "1"),
  ),
  failing(
    "pages-that-change-their-total",
    "wrong-total",
    versions((index) => index + 3),
    asked(),
  ),
  failing(
    "pages-that-repeat",
    "repeated-record",
    edit((page) => {
      page.data.total = 5;
    }),
  ),
  failing(
    "pages-that-are-empty",
    "wrong-total",
    edit((page) => Object.assign(page.data, { records: [], total: 5 })),
  ),
  failing(
    "total-too-small",
    "wrong-total",
    edit((page) => {
      page.data.total = 0;
    }),
  ),
  failing(
    "total-of-15-digits",
    "oversized",
    edit((page) => {
      page.data.total = 1e15;
    }),
  ),
  listless("records-many", "oversized", heroes(9000)),
  ending(
    "heroes-1500",
    5,
    /^the upstream names 1500 heroes, .* none of them was asked for; .*--allow-growth$/,
    heroes(1500),
    { at: LIST },
  ),
  listless(
    "heroes-5000-in-pages",
    "oversized",
    edit((page, { path }) => {
      const at = Number(/index=(\d+)/.exec(path)?.[1]);
      const [first] = page.data.records;
      const records = Array.from({ length: 200 }, (_, n) => ({
        ...first,
        data: { ...first?.data, hero_id: at * 200 + n },
      }));
      page.data = { records, total: 5000 };
    }),
  ),
  failing("issues-million", "oversized", wrong(1_300_000, ""), { at: RELATIONS, seconds: 15 }),
  taken("issues-190000", wrong(190_000, "?"), { at: RELATIONS, seconds: 60 }),
  failing(
    "texts-to-remember",
    "oversized",
    edit((page) => {
      const [record] = page.data.records;
      if (record)
        record.data.build = Array.from({ length: 15_000 }, (_, skillid) => ({
          skillid,
          battleskill: {
            data: {
              skillshortdesc: `text ${skillid}`,
              __data: { skillname: `name ${skillid}`, skilldesc: `long ${skillid}` },
            },
          },
        }));
    }),
    { at: /\/builds\?/, args: ["--endpoints", "builds"], seconds: 15 },
  ),
  failing(
    "objects-million",
    "oversized",
    edit((page) => {
      page.data.records = [{ data: { o: new Array(1_300_000).fill({}) } }];
    }),
    { seconds: 15 },
  ),
  listless(
    "names-of-30-kb",
    "oversized",
    more((page) => {
      for (let n = page.data.records.length; n < 200; n += 1)
        page.data.records.push({ data: { hero_id: n + 1, hero: { data: { name: "n".repeat(30_000), head: "h" } } } });
      page.data.total = 200;
    }),
  ),
  taken(
    "names-of-10-kb",
    more((page) => {
      for (const { data } of page.data.records as { data: { hero: { data: { name: string } } } }[])
        data.hero.data.name += "n".repeat(10_000);
    }),
    { at: LIST },
  ),
  taken(
    "key-of-a-megabyte",
    edit((page) => {
      const [record] = page.data.records;
      if (record) record.data["k".repeat(1_000_000)] = 1;
    }),
  ),
];

export const SIZES: Mode[] = MODES.map(({ args = [], ...mode }) => ({ ...mode, args: [...PATIENT, ...args] }));
