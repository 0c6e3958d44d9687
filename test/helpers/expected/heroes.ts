import { LANES, ROLES } from "../../../src/api/enumerations.ts";
import type { Add, Cell, Row, Shapes } from "./archive.ts";

export const KINDS = ["assist", "strong", "weak"] as const;

export const filled = (text: string | undefined) => text || null;
export const numeral = (text: string | undefined) => (text ? Number(text) : null);

/** The entries of a list of roles or lanes whose number is known; an empty text pads the list. */
const codesOf = <T>(
  codes: readonly { code: string; id: string }[],
  list: readonly ("" | { data: T })[],
  idOf: (data: T) => string,
) =>
  list.flatMap((entry, place) => {
    const code = entry === "" ? undefined : codes.find(({ id }) => id === idOf(entry.data))?.code;
    return entry === "" || !code ? [] : [{ code, data: entry.data, position: place + 1 }];
  });

type Placed = Shapes["positions"]["data"]["hero"]["data"];
export const rolesOf = ({ sortid }: Pick<Placed, "sortid">) => codesOf(ROLES, sortid, (data) => data.sort_id);
export const lanesOf = ({ roadsort }: Pick<Placed, "roadsort">) =>
  codesOf(LANES, roadsort, (data) => data.road_sort_id);

export const factsOf = (detail: Shapes["hero"] | undefined): Row => ({
  square_head_url: filled(detail?.data.hero.data.squarehead),
  square_head_big_url: filled(detail?.data.hero.data.squareheadbig),
  game_painting_url: filled(detail?.data.hero.data.painting),
  page_head_url: filled(detail?.data.head),
  head_big_url: filled(detail?.data.head_big),
  painting_url: filled(detail?.data.painting),
  lore_url: filled(detail?.data.url),
  durability: numeral(detail?.data.hero.data.abilityshow?.[0]),
  offense: numeral(detail?.data.hero.data.abilityshow?.[1]),
  ability_effects: numeral(detail?.data.hero.data.abilityshow?.[2]),
  difficulty: numeral(detail?.data.hero.data.difficulty),
  skill_levels: filled(detail?.data.hero.data.recommendlevellabel),
  channel_id: detail?.id ?? null,
  created_at_ms: detail?.createdAt ?? null,
  updated_at_ms: detail?.updatedAt ?? null,
  game_record_id: detail?.data.hero.id ?? null,
  game_source_id: detail?.data.hero.sourceId ?? null,
  game_created_at_ms: detail?.data.hero._createdAt ?? null,
  game_updated_at_ms: detail?.data.hero._updatedAt ?? null,
});

export function addDetail(add: Add, hero_id: number, lang: string, { data }: Shapes["hero"]) {
  const { speciality = [], heroskilllist } = data.hero.data;
  if (lang === "en") {
    for (const { code, position } of rolesOf(data.hero.data)) add("hero_role", { hero_id, position, role: code });
    for (const { code, position } of lanesOf(data.hero.data)) add("hero_lane", { hero_id, position, lane: code });
  }
  for (const [place, label] of speciality.entries()) {
    if (label) add("hero_speciality", { hero_id, lang, position: place + 1, speciality: label });
  }
  for (const kind of KINDS) {
    const { desc } = data.relation[kind];
    if (desc) add("hero_relation_text", { hero_id, kind, lang, description: desc });
  }
  const met = new Set<number>();
  for (const [place, { skilllistid: list_id, skilllist }] of heroskilllist.entries()) {
    for (const [at, skill] of skilllist.entries()) {
      const { skillid: skill_id, skillname: name, skilldesc: description } = skill;
      if (lang === "en") {
        add("skill_slot", { hero_id, list_position: place + 1, position: at + 1, skill_id, list_id });
      }
      add("skill", { hero_id, skill_id, icon_url: skill.skillicon ?? null, video_url: filled(skill.skillvideo) });
      for (const [index, { tagid: tag_id, tagname, tagrgb }] of (skill.skilltag ?? []).entries()) {
        add("tag", { tag_id, color: tagrgb ?? null });
        add("tag_text", { tag_id, lang, name: tagname });
        if (lang === "en") add("skill_tag", { hero_id, skill_id, position: index + 1, tag_id });
      }
      // A skill of both forms has the text of the first.
      if (met.has(skill_id)) continue;
      met.add(skill_id);
      const description_plain = description.split(/<font[^>]*>|<\/font>/).join("");
      const cooldown_and_cost = filled(skill["skillcd&cost"]);
      const [cooldown_seconds = null, mana_cost = null] = (cooldown_and_cost?.match(/[\d.]+/g) ?? []).map(Number);
      const texts = { name, description, description_plain, cooldown_and_cost };
      add("skill_text", { hero_id, skill_id, lang, ...texts, cooldown_seconds, mana_cost });
    }
  }
}

type Step = Shapes["skill-combos"]["data"]["skill_id"][number] & { [stamp: string]: unknown };

export function addStep(add: Add, key: { combo_id: number; position: number }, step: Step) {
  const { id: record_id = null, sourceId, _createdAt, _updatedAt, data } = step;
  add("skill_combo_step", {
    ...key,
    skill_id: data.skillid,
    icon_url: data.skillicon ?? null,
    record_id,
    source_id: (sourceId ?? null) as Cell,
    created_at_ms: (_createdAt ?? null) as Cell,
    updated_at_ms: (_updatedAt ?? null) as Cell,
  });
}
