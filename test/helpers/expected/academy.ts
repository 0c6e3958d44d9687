import type { Add, Sent, Shapes } from "./archive.ts";
import { filled, numeral } from "./heroes.ts";

/** Without the markup that the sample writes. */
const plain = (text: string | undefined) => (text ? text.split(/<font[^>]*>|<\/font>/).join("") : null);

type Item = Partial<Shapes["equipment-expanded"]["data"]> & Shapes["equipment"]["data"];

/** The two lists of items complete each other: one has all of them, the other details of most. */
export function addItems(add: Add, lists: readonly Sent<Shapes["equipment"] | Shapes["equipment-expanded"]>[]) {
  const merged = new Map<string, { lang: string; item: Item }>();
  for (const { lang, record } of lists) {
    const key = `${record.data.equipid} ${lang}`;
    merged.set(key, { lang, item: { ...merged.get(key)?.item, ...record.data } });
  }
  for (const { lang, item } of merged.values()) {
    const item_id = item.equipid;
    const description = filled(item.equipskilldesc);
    const description_plain = plain(item.equipskilldesc);
    const texts = { name: item.equipname, type_name: filled(item.equiptypename), tips: filled(item.equiptips) };
    add("item_text", { item_id, lang, ...texts, description, description_plain });
    if (lang !== "en") continue;
    add("item", { item_id, icon_url: filled(item.equipicon), type_id: numeral(item.equiptype) });
    const targets = String(item.targetequipid ?? "").split(",");
    for (const target of targets) if (target) add("item_upgrade", { item_id, target_item_id: Number(target) });
  }
}

export function addSpell(add: Add, { lang, record: { data } }: Sent<Shapes["spells"]>) {
  const { skillname, skilldesc, skillicon } = data.__data ?? {};
  const spell_id = data.battleskillid;
  if (lang === "en") add("spell", { spell_id, icon_url: filled(skillicon) });
  const texts = { name: filled(skillname), summary: filled(data.skillshortdesc) };
  add("spell_text", { spell_id, lang, ...texts, description: filled(skilldesc), description_plain: plain(skilldesc) });
}

export function addEmblem(add: Add, { lang, record: { data } }: Sent<Shapes["roles"]>) {
  const { emblem_id, emblem_title: title, emblem_icon } = data;
  const { emblemname, attriicon, emblemattr } = data.emblem_detail?.data ?? {};
  const icons = { icon_url: filled(attriicon), role_icon_url: filled(emblem_icon) };
  if (lang === "en") add("emblem", { emblem_id, attribute_id: numeral(emblemattr?.emblemattrid), ...icons });
  add("emblem_text", { emblem_id, lang, title, name: filled(emblemname), attributes: filled(emblemattr?.emblemattr) });
}

export function addTalent(add: Add, { lang, record: { data } }: Sent<Shapes["emblems"]>) {
  const { skillid: skill_id, skillname: name, skilldesc, skillicon } = data.emblemskill;
  const talent_id = data.giftid;
  if (lang === "en") add("talent", { talent_id, tier: data.gifttiers, skill_id, icon_url: filled(skillicon) });
  const texts = { description: filled(skilldesc), description_plain: plain(skilldesc) };
  add("talent_text", { talent_id, lang, name, ...texts });
}

export function addRankStep(add: Add, { lang, record: { data } }: Sent<Shapes["ranks"]>) {
  const first_rank_id = data.rankid_start;
  const step = { last_rank_id: data.rankid_end, level: data.bigrank, division: numeral(data.minrank) };
  if (lang === "en") add("rank_step", { first_rank_id, ...step, icon_url: filled(data.icon) });
  const names = { name: data.bigrank_name, division_name: filled(data.minrank_name) };
  add("rank_step_text", { first_rank_id, lang, ...names });
}

export function addVotes(add: Add, { lang, record }: Sent<Shapes["ratings"]>) {
  for (const { subject, title, desc, comment_count } of record.list) {
    if (lang === "en") add("vote", { subject, comments: comment_count ?? null });
    add("vote_text", { subject, lang, title, description: desc ?? null });
  }
}

export function addCandidates(add: Add, { subject, lang, record }: Sent<Shapes["rating"]>) {
  for (const [place, candidate] of record.list.entries()) {
    const key = { subject, candidate_id: candidate.object };
    const top_comment = filled(candidate.hot_comment);
    add("vote_candidate_text", { ...key, lang, name: candidate.title, top_comment });
    if (lang !== "en") continue;
    add("vote_candidate", {
      ...key,
      position: place + 1,
      score: numeral(candidate.score),
      score_total: candidate.score_total ?? null,
      score_count: candidate.score_count ?? null,
      image_url: candidate.image ?? null,
      image_big_url: candidate.image_big ?? null,
    });
  }
}
