import { keptFields } from "../choices/choice-form.ts";
import { carriedChoices } from "../facts.ts";
import { type Html, html } from "../html.ts";
import type { PageContext } from "../page.ts";
import { addressOf, type Choice } from "../query.ts";
import { FORMAT_CHOICE } from "../report.ts";
import type { Messages } from "../words/messages.ts";

export const HEROES_ROUTE = "/heroes";

const MOST_SEARCH_CHARS = 60;

export const searchChoice = ({ frame }: Messages): Choice => ({
  name: "q",
  label: frame.search.name,
  options: [],
  fallback: "",
  mostChars: MOST_SEARCH_CHARS,
});

/** The search on every page. The names to choose from are as heavy as a small page, so a script gets them when they are needed. */
export function searchForm({ facts, values, messages }: Pick<PageContext, "facts" | "values" | "messages">): Html {
  const { search: words } = messages.frame;
  const names = addressOf(HEROES_ROUTE, [facts.langChoice, FORMAT_CHOICE], { lang: values.lang ?? "", format: "csv" });
  return html`<form class="find" role="search" method="get" action="${HEROES_ROUTE}">
${keptFields(carriedChoices(facts), values)}
<label class="unseen" for="find">${words.find}</label><input type="search" id="find" name="q" value="${values.q}" maxlength="${MOST_SEARCH_CHARS}" dir="auto" autocomplete="off" placeholder="${words.find}" data-names="${names}">
<button type="submit">${words.send}</button></form>`;
}
