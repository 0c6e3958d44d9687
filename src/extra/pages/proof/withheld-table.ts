import { BASE_LANG } from "../../../api/enumerations.ts";
import { joinAlike, type Withheld, withheldReport } from "../../../snapshot/report/withheld.ts";
import { addressOn, type Facts } from "../facts.ts";
import type { Figures } from "../figures.ts";
import { type Html, html } from "../html.ts";
import type { PageContext } from "../page.ts";
import { showTable } from "../report.ts";
import type { Messages } from "../words/messages.ts";

/** A table of the parts that could not be had or were left out; undefined if there are none. */
export function withheldTable(context: PageContext): Html | undefined {
  const { facts } = context;
  const { withheld: rows } = facts;
  if (rows.length === 0) return undefined;
  const report = withheldReport(rows, (group) => nameOf(group, facts));
  return html`<h2 id="withheld">${report.caption}</h2>
<p>If the upstream does not give an answer, this snapshot has the last one that it gave, with its time, or lacks it. Of what is closed each night asks a few answers again; if one of them is given, all of them are asked.</p>
${showTable(context, { ...report, caption: report.note ?? "" })}
`;
}

/** Names what the answers have in common besides their endpoint; undefined if that is all. */
function nameOf({ dimension, value }: Withheld, { heroes, messages }: Facts): string | undefined {
  if (dimension === "endpoint" || dimension === "single") return undefined;
  const name = heroes.find((hero) => hero.value === value)?.label;
  const called = dimension === "hero" && name !== undefined ? `${value} (${name})` : value;
  return messages.mirror.withheld.only[dimension]({ name: called });
}

/** Notes above a page, at most. */
const MOST_NOTES = 4;

/**
 * The times of the answers that a page shows, found by the starts of their slices: there are thousands of each endpoint. Numbers are asked
 * for in English only, and the days of a trend are drawn whatever the window is.
 */
const SHOWN = `
  SELECT min(asked_at) AS first, max(asked_at) AS last
  FROM json_each(@datasets) AS shown CROSS JOIN json_each(@starts) AS start
  CROSS JOIN coverage ON dataset = shown.value AND slice >= start.value AND slice < start.value || '~'
  WHERE lang IN (@lang, '${BASE_LANG}') AND (rank IS NULL OR rank = @rank) AND (days IS NULL OR days = @days OR dataset = 'trends')`;

/** How the slices of a hero begin, and those of all heroes. */
const startsOf = (id: number) => (Number.isNaN(id) ? [""] : [`hero=${id}&`, "rank=", "lang="]);

type Times = Pick<Withheld, "first" | "last">;

/** Makes the note that says when the figures of a rolling night were asked for; undefined if its own crawl asked for all of them. */
function carriedNote(context: PageContext, datasets: readonly string[], id: number): Html | undefined {
  const { snapshot, values, lang, messages, figures } = context;
  const { rolling, started_at } = snapshot.head;
  if (rolling === 0) return undefined;
  const [times] = snapshot.select<Times>(SHOWN, {
    datasets: JSON.stringify(datasets),
    lang,
    starts: JSON.stringify(startsOf(id)),
    rank: values.rank ?? "",
    days: Number(values.days),
  });
  if (!times?.first || times.first >= started_at) return undefined;
  return html`<p class="note">${shownFrom(times, messages.mirror.withheld, figures)}</p>
`;
}

/** The notes on the data of a page: what is withheld, and what is older than the night. */
export function notesOnData(context: PageContext, datasets: readonly string[], id: number): readonly Html[] {
  const carried = carriedNote(context, datasets, id);
  const withheld = withheldNotes(context, datasets, id);
  return carried ? [...withheld, carried] : withheld;
}

/** One note for each group that concerns these datasets, in this language and of this hero; of every hero if `id` is no number. */
export function withheldNotes(context: PageContext, datasets: readonly string[], id: number): readonly Html[] {
  const { facts, lang, figures } = context;
  const { count, day } = figures;
  const { withheld: words } = context.messages.mirror;
  const concerns = ({ dimension, value, datasets: closed }: Withheld) =>
    closed.some((dataset) => datasets.includes(dataset)) &&
    dimension !== "single" &&
    (dimension !== "lang" || value === lang) &&
    (dimension !== "hero" || Number.isNaN(id) || value === String(id));
  // The rows are joined after the choice, so that counts and times are those of the named endpoints.
  const groups = joinAlike(facts.withheld.filter(concerns));
  const rest = groups.length - MOST_NOTES;
  const notes = groups.slice(0, MOST_NOTES).map((group) => {
    const { why, since, carried, missing } = group;
    const shown = group.datasets.join(context.messages.frame.comma);
    const name = nameOf(group, facts);
    const closed = carried > 0 ? words.noLongerGiven : words.notGiven;
    const say = why === "left-out" ? words.notAsked : closed;
    return html`<p class="note">${say({ since: day(since), what: html`<b>${shown}</b>${name && html` (${name})`}` })}${
      carried > 0 && html` ${shownFrom(group, words, figures)}`
    }${missing > 0 && html` ${words.missing({ answers: count(missing) })}`} <a href="${addressOn(context, "/data")}#withheld">${words.more}</a></p>
`;
  });
  const others = html`<p class="note"><a href="${addressOn(context, "/data")}#withheld">${words.others({ groups: count(rest) })}</a></p>
`;
  return rest > 0 ? [...notes, others] : notes;
}

const shownFrom = ({ first, last }: Times, words: Messages["mirror"]["withheld"], { time }: Figures): Html =>
  first === last
    ? words.shownFrom({ time: time(first) })
    : words.shownBetween({ first: time(first), last: time(last) });
