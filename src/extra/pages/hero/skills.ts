import { nameIn, textIn } from "../format.ts";
import { type Html, html } from "../html.ts";
import type { PageContext } from "../page.ts";

interface Skill {
  skill_id: number;
  name: string | null;
  description_plain: string | null;
  cooldown_and_cost: string | null;
}

const SKILLS = `
  SELECT slot.skill_id, text.name, text.description_plain, text.cooldown_and_cost
  FROM skill_slot AS slot LEFT JOIN skill_text AS text ON text.hero_id = slot.hero_id AND text.skill_id = slot.skill_id AND text.lang = @lang
  WHERE slot.hero_id = @id ORDER BY slot.list_position, slot.position`;

const MOST_SKILLS = 40;

/** The passive first, as a rule. */
export function skills({ snapshot, lang, messages }: PageContext, id: number): Html | undefined {
  const { hero: words } = messages.heroes;
  const rows = snapshot.select<Skill>(SKILLS, { id, lang });
  const unique = [...new Map(rows.map((skill) => [skill.skill_id, skill])).values()].slice(0, MOST_SKILLS);
  if (unique.length === 0) return undefined;
  return html`${unique.map(
    ({ skill_id, name, description_plain, cooldown_and_cost }) =>
      html`<h3>${name === null ? words.skill({ id: skill_id }) : nameIn(lang, name)}</h3>
${cooldown_and_cost && html`<p class="none">${nameIn(lang, cooldown_and_cost)}</p>`}
${description_plain === null ? html`<p>${words.noText}</p>` : textIn(lang, description_plain)}`,
  )}`;
}

interface Combo {
  combo_id: number;
  title: string | null;
  description: string | null;
}

const COMBOS = `
  SELECT combo.combo_id, text.title, text.description
  FROM skill_combo AS combo LEFT JOIN skill_combo_text AS text ON text.combo_id = combo.combo_id AND text.lang = @lang
  WHERE combo.hero_id = @id ORDER BY combo.combo_id`;

const STEPS = `
  SELECT step.combo_id, step.skill_id, text.name
  FROM skill_combo AS combo JOIN skill_combo_step AS step USING (combo_id)
  LEFT JOIN skill_text AS text ON text.hero_id = combo.hero_id AND text.skill_id = step.skill_id AND text.lang = @lang
  WHERE combo.hero_id = @id ORDER BY step.combo_id, step.position`;

const MOST_COMBOS = 20;

/** Recommended sequences. A step that is not a skill of the hero is a basic attack, which has no name in the data. */
export function combos({ snapshot, lang, messages }: PageContext, id: number): Html | undefined {
  const { hero: words } = messages.heroes;
  const listed = snapshot.select<Combo>(COMBOS, { id, lang }).slice(0, MOST_COMBOS);
  if (listed.length === 0) return undefined;
  const steps = Map.groupBy(
    snapshot.select<{ combo_id: number; skill_id: number; name: string | null }>(STEPS, { id, lang }),
    ({ combo_id }) => combo_id,
  );
  return html`${listed.map(
    ({
      combo_id,
      title,
      description,
    }) => html`<h3>${title === null ? words.combo({ id: combo_id }) : nameIn(lang, title)}</h3>
<ol class="steps">${(steps.get(combo_id) ?? []).map(
      ({ skill_id, name }) => html`<li>${name === null ? words.numbered({ id: skill_id }) : nameIn(lang, name)}</li>`,
    )}</ol>
${description === null ? html`<p>${words.noText}</p>` : textIn(lang, description)}`,
  )}`;
}
