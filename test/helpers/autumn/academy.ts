import { LANES, type Lang, RANKS } from "../../../src/api/enumerations.ts";
import { fraction, hash, pick, upTo } from "./draws.ts";
import { type Asked, type Game, lanesOf, lastChange, oldStamp, stampOf } from "./game.ts";
import { meta } from "./heroes.ts";
import { heroName, picture, words } from "./texts.ts";

/** What the publisher's store of lists adds to a record. */
const listed = (id: number, kind: string) => ({
  _createdAt: oldStamp(kind),
  _id: hash(kind, id).toString(16).padStart(24, "0"),
  _updatedAt: oldStamp(kind),
  id: 100_000 * (1 + (hash(kind) % 1000)) + id,
  sourceId: 2_718_000 + (hash(kind) % 1000),
});

const SPELLS = [20020, 20030, 20060, 20160];

function spell(id: number, lang: Lang) {
  const skilldesc = words(lang, 6, "spell", id);
  const texts = { skilldesc, skilldescemblem: skilldesc, skillname: words(lang, 1, "spell", id) };
  return {
    __data: { skillicon: picture("spell", id), skillid: id, ...texts },
    battleskillid: id,
    skillshortdesc: words(lang, 2, "spell", id, "short"),
  };
}

/** References of the publisher's store that were never resolved come as they are. */
export const spellRecords = (_: Game, { lang }: Asked) =>
  SPELLS.map((id) => ({
    ...listed(id, "spell"),
    data: { ...spell(id, lang), skillicon: "@__data.skillicon", skillname: "@__data.skillname1", skillvideo: "" },
  }));

const EMBLEMS = [20001, 20002, 20003, 20004, 20005, 20008, 20012];

function emblem(id: number, lang: Lang) {
  const emblemname = words(lang, 1, "emblem", id);
  const emblemattr = `+12 ${words(lang, 1, "attribute", id)}\n+3% ${words(lang, 2, "attribute", id)}\n`;
  return {
    attriicon: picture("emblem", id),
    emblemattr: { emblemattr, emblemattrid: `${id}60`.slice(1), emblemname },
    emblemid: id,
    emblemname,
  };
}

/** The roles of the academy, each of which has an emblem. */
export const roleRecords = (_: Game, { lang }: Asked) =>
  EMBLEMS.map((id, place) => ({
    ...meta(2_740_640 + place, "emblem", 2_740_627),
    data: {
      _object: 2_740_627,
      emblem_detail: { ...listed(id, "emblem"), data: { ...emblem(id, lang), attriicon2: "", emblembg: 0 } },
      emblem_icon: picture("role of emblem", id, "svg"),
      emblem_id: id,
      emblem_title: words(lang, 1, "emblem", id),
    },
  }));

/** Three of each tier. */
const TALENTS = upTo(9).map((place) => ({ giftid: 100 + place, gifttiers: 1 + (place % 3) }));

export const talentRecords = (_: Game, { lang }: Asked) =>
  TALENTS.map(({ giftid, gifttiers }) => {
    const skilldesc = `${words(lang, 5, "talent", giftid)} 5%`;
    const emblemskill = {
      numdescribe: "5%",
      skilldesc,
      skilldesc_text: skilldesc.replace("5%", "<%Num1>"),
      skilldescemblem: skilldesc,
      skillicon: picture("talent", giftid),
      skillid: 61_000 + giftid,
      skillid_lv: `${61_000 + giftid}/1`,
      skillname: words(lang, 2, "talent", giftid),
    };
    return { ...listed(giftid, "talent"), data: { emblemskill, giftid, gifttiers } };
  });

/** The last two are of a mode of the game, and have no details. */
const ITEMS = upTo(14).map((place) => 3000 + place);
const DETAILED = ITEMS.slice(0, -2);

const item = (id: number, lang: Lang) => ({
  equipicon: picture("item", id),
  equipid: id,
  equipname: words(lang, 2, "item", id),
});

export const itemRecords = (_: Game, { lang }: Asked) =>
  ITEMS.toReversed().map((id) => ({ ...listed(id, "item"), data: item(id, lang) }));

export const detailedItemRecords = (game: Game, { lang }: Asked) =>
  DETAILED.toReversed().map((id) => {
    const equipskill1 = `\n<font color="FFD700">${words(lang, 1, "item", id)}</font>: ${words(lang, 5, "item", id)}`;
    const data = {
      ...item(id, lang),
      equipskill1,
      equipskilldesc: equipskill1,
      equiptips: `+${40 + (id % 7)} ${words(lang, 2, "tip", id, lastChange(game, id))}<br>`,
      equiptype: String(1 + (id % 6)),
      equiptypename: words(lang, 1, "type", id % 6),
      targetequipid: id % 3 === 0 ? "3001,3002" : "",
    };
    return { ...listed(id, "detailed item"), data };
  });

/** The first numbers of the ranks; the last rank is open-ended. */
const STEPS = [1, 13, 25, 45, 75, 105, 137];

export const rankStepRecords = (_: Game, { lang }: Asked) =>
  STEPS.map((rankid_start, place) => {
    const bigrank = place + 1;
    const data = {
      _object: 3_210_429,
      bigrank,
      bigrank_name: words(lang, 1, "rank", bigrank),
      icon: picture("rank", bigrank),
      ...(bigrank < STEPS.length && { minrank: "1", minrank_name: "Ⅰ" }),
      rankid_end: (STEPS[place + 1] ?? 10_000) - 1,
      rankid_start,
    };
    return { ...meta(3_210_567 + place, "rank", 3_210_429), data };
  }).toReversed();

/** Newest first: one from before, and one for each patch since. */
export const versionRecords = ({ patch }: Game) =>
  upTo(patch + 1).map((back) => {
    const number = patch + 1 - back;
    const createdAt = oldStamp("versions") + number * 1000;
    const data = { game_version: `2.1.${18 + number}` };
    return {
      createdAt,
      data,
      form: { id: 2_777_742 },
      id: 967_057_876_869_504 + number,
      uin: "x:0:0",
      updatedAt: createdAt,
    };
  });

/** A hero is played on the lanes that are his. */
function played(game: Game, kind: string, { lane, rank }: Asked, hero: number) {
  const { id: road = "" } = LANES.find(({ code }) => code === lane) ?? {};
  if (!lanesOf(hero).includes(road)) return undefined;
  const made = stampOf(game, kind, rank);
  const real_road = Number(road);
  return {
    head: {
      ...listed(hero, kind),
      _createdAt: made,
      _updatedAt: made,
      id: 4_234_000 + real_road * 100 + hero,
    },
    about: {
      big_rank: RANKS.find(({ code }) => code === rank)?.bigrank,
      hero_name: heroName(hero, "zh-CN"),
      heroid: hero,
      real_road,
    },
    salt: [kind, game.day, rank, lane ?? "", hero],
  };
}

export const share = (least: number, most: number, ...of: (string | number)[]) =>
  least + (most - least) * fraction(...of);

export function timelineRecords(game: Game, asked: Asked, hero: number) {
  const { head, about, salt } = played(game, "timeline", asked, hero) ?? {};
  if (!salt) return [];
  const time_win_rate = [10, 12, 14, 16, 18].map((time_min) => ({
    time_max: time_min + 2,
    time_min,
    win_rate: share(0.3, 0.7, time_min, ...salt),
  }));
  return [{ ...head, data: { ...about, time_win_rate, total_win_rate: share(0.4, 0.6, ...salt) } }];
}

export function buildRecords(game: Game, asked: Asked, hero: number) {
  const { head, about, salt } = played(game, "builds", asked, hero) ?? {};
  if (!salt) return [];
  const tier = (wanted: number) => TALENTS.filter(({ gifttiers }) => gifttiers === wanted).map(({ giftid }) => giftid);
  const build = upTo(3).map((place) => {
    const [skillid, runeid] = [pick(SPELLS, place, ...salt), pick(EMBLEMS, place, ...salt)];
    const first = hash(place, ...salt) % (DETAILED.length - 2);
    return {
      battleskill: { data: spell(skillid, asked.lang) },
      build_pick_rate: share(0.01, 0.1, "pick", place, ...salt),
      build_win_rate: share(0.45, 0.65, "win", place, ...salt),
      emblem: { data: emblem(runeid, asked.lang) },
      equipid: DETAILED.slice(first, first + 3),
      new_rune_skill: [1, 2, 3].map((wanted) => pick(tier(wanted), place, ...salt)),
      runeid,
      skillid,
    };
  });
  return [{ ...head, data: { ...about, build } }];
}
