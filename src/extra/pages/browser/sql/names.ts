import { element } from "../dom/elements.ts";

/** Makes the names in the list of tables and columns buttons, each when its table is opened: there are many. */
export function offerNames(list: HTMLElement, choose: (name: string) => void) {
  list.addEventListener("click", ({ target }) => {
    if (target instanceof HTMLButtonElement) choose(target.textContent ?? "");
  });
  // It does not bubble.
  list.addEventListener("toggle", ({ target }) => offer(target as HTMLElement), { capture: true });
}

function offer(opened: HTMLElement) {
  for (const code of opened.querySelectorAll(":scope > :not(summary) code"))
    code.replaceWith(element("button", { type: "button", class: "name" }, code.textContent ?? ""));
}
