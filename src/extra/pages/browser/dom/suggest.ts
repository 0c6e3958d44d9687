import { parseCsv } from "../matrix/csv.ts";
import { element } from "./elements.ts";

/** Offers the names of heroes in a field, in the language of the page and in English, once somebody is about to type. */
export function suggestNames(field: HTMLInputElement): void {
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
