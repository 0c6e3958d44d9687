import { element } from "./dom/elements.ts";

/** The form on the page of an endpoint: it shows the answer, and lets people change what the path names. A longer answer is cut here. */
const MOST_CHARS = 20_000;
const HEADERS = ["content-type", "x-snapshot-at", "x-data-at", "etag", "cache-control"];

for (const sample of document.querySelectorAll("pre.code"))
  sample.textContent = (sample.textContent ?? "").replaceAll("https://mirror.example", location.origin);
document.querySelector(".some-mirror")?.remove();

for (const form of document.querySelectorAll<HTMLFormElement>("form.try")) enhance(form);

function enhance(form: HTMLFormElement) {
  const target = addTarget(form);
  // Told by screen readers as it changes, without the answer below it.
  const said = element("p", { role: "status" });
  const shown = element("div");
  form.after(said, shown);
  let sent = new AbortController();
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    sent.abort();
    sent = new AbortController();
    const address = addressOf(form, target);
    said.textContent = `Asking ${address}`;
    shown.replaceChildren();
    try {
      const response = await fetch(address, { signal: sent.signal });
      const body = await response.text();
      said.replaceChildren(`${response.status} ${response.statusText} `, element("a", { href: address }, address));
      shown.replaceChildren(...blocksOf(response, body));
    } catch (error) {
      if ((error as Error).name !== "AbortError") said.textContent = `No answer: ${error}`;
    }
  });
}

/** A field for what the path names, which a form without scripts cannot change. */
function addTarget(form: HTMLFormElement): HTMLInputElement | undefined {
  const { path, named, target } = form.dataset;
  if (path === undefined || named === undefined) return undefined;
  const input = element("input", { id: "try-path", value: target ?? "", required: "" });
  form.prepend(element("span", { class: "choice" }, element("label", { for: "try-path" }, named), input));
  return input;
}

function addressOf(form: HTMLFormElement, target: HTMLInputElement | undefined): string {
  const query = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (value !== "") query.append(name, String(value));
  const template = form.dataset.path;
  const path = target && template ? template.replace(/\{\w+\}/, () => encodeURIComponent(target.value)) : undefined;
  return `${path ?? new URL(form.action).pathname}${query.size > 0 ? `?${query}` : ""}`;
}

function blocksOf({ headers }: Response, body: string): HTMLElement[] {
  const shown = HEADERS.flatMap((name) => (headers.has(name) ? `${name}: ${headers.get(name)}` : []));
  const text = pretty(body);
  const rest = text.length - MOST_CHARS;
  return [
    block("Headers", shown.join("\n")),
    block("Body", rest > 0 ? `${text.slice(0, MOST_CHARS)}\n… ${rest} more characters` : text),
  ];
}

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

const block = (name: string, text: string): HTMLElement =>
  element("pre", { class: "code", tabindex: "0", role: "region", "aria-label": name }, text);
