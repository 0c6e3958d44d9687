import { element } from "./dom/elements.ts";
import { parseCsv } from "./matrix/csv.ts";

/**
 * The forms of choices on every page. A form whose fields are all choices needs no button by mouse or touch. By keyboard a choice goes
 * through others on its way, so there the button sends it.
 */
const forms = document.querySelectorAll<HTMLFormElement>("form.choices");

for (const form of forms) {
  let byKeys = false;
  form.addEventListener("keydown", () => {
    byKeys = true;
  });
  form.addEventListener("pointerdown", () => {
    byKeys = false;
  });
  form.addEventListener("change", () => {
    if (!byKeys) form.requestSubmit();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    location.assign(shortAddress(form));
  });
}

// The table is of the address. A browser fills in what was chosen before a reload, and a page that it has kept comes back
// with what was chosen when it was left.
const reset = () => {
  for (const form of forms) form.reset();
};
reset();
addEventListener("pageshow", ({ persisted }) => {
  if (persisted) reset();
});

const find = document.querySelector<HTMLInputElement>("#find");
if (find) suggestNames(find);

/**
 * Returns the address with the values that are not the fallback of their field, several values by commas, as the links of the page have it.
 */
function shortAddress({ action, elements }: HTMLFormElement): string {
  const chosen = new Map<string, string[]>();
  for (const field of elements) {
    if (!(field instanceof HTMLSelectElement || field instanceof HTMLInputElement)) continue;
    const { name, value } = field;
    if (value !== "" && value !== field.dataset.fallback) chosen.set(name, [...(chosen.get(name) ?? []), value]);
  }
  const query = new URLSearchParams([...chosen].map(([name, values]) => [name, values.join(",")]));
  const address = new URL(action);
  address.search = query.toString().replaceAll("%2C", ",");
  return address.href;
}

/** The first of the reader's languages that the pages speak: the link to it, in its own words. Who has chosen a language is not asked. */
function findOffer(): HTMLAnchorElement | undefined {
  if (new URLSearchParams(location.search).has("lang")) return undefined;
  const links = [...document.querySelectorAll<HTMLAnchorElement>(".languages a[data-offer]")];
  for (const wanted of navigator.languages) {
    const { language, region, script } = new Intl.Locale(wanted).maximize();
    const chinese = language === "zh" && (script === "Hant" ? "zh-TW" : "zh-CN");
    const link = links.find(
      ({ hreflang }) => hreflang === (chinese || language) || hreflang === `${language}-${region}`,
    );
    if (link) return link.hasAttribute("aria-current") ? undefined : link;
  }
  return undefined;
}

const offered = findOffer();
if (offered) {
  const { hreflang, href, dataset } = offered;
  const link = Object.assign(document.createElement("a"), { hreflang, href, lang: hreflang, className: "offer" });
  link.textContent = dataset.offer ?? "";
  document.querySelector(".languages")?.after(link);
}

/** Offers the names of heroes in a field, in the language of the page and in English, once somebody is about to type. */
function suggestNames(field: HTMLInputElement): void {
  const names = element("datalist", { id: "hero-names" });
  // Without them the search is the same.
  field.addEventListener("focus", () => void fill().catch(() => {}), { once: true });
  // One that is chosen needs no button; a word that is still typed may be the beginning of a longer name.
  field.addEventListener("input", (event) => {
    const isTyped = event instanceof InputEvent && event.inputType !== "insertReplacementText";
    const isName = [...names.options].some(({ value }) => value === field.value);
    if (!isTyped && isName) field.form?.requestSubmit();
  });

  async function fill() {
    const response = await fetch(field.dataset.names ?? "");
    if (!response.ok) return;
    const [, ...heroes] = parseCsv(await response.text());
    const called = new Set(heroes.flatMap(([, name = "", english = ""]) => [name, english]));
    names.replaceChildren(...[...called].map((value) => element("option", { value })));
    field.after(names);
    field.setAttribute("list", names.id);
  }
}
