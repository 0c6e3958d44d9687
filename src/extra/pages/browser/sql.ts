/** The SQL console: shows what a worker reads from the published file, which the page names. */

import { showResult } from "./answer/result.ts";
import { byId, element } from "./dom/elements.ts";
import type { Answer, Mistake } from "./sql/messages.ts";
import { createRunner } from "./sql/runner.ts";
import { WORDS } from "./sql/words.ts";

const FRAGMENT = "#sql=";
/** A query reads so many bytes without a question, and so many times more each time that it may go on. */
const [FREE_BYTES, MORE] = [2_000_000, 8];
/** A table may be larger than was guessed. */
const SLACK = 2;
/** A result that begins further down in the window is scrolled to. */
const SEEN = 0.7;

const box = document.getElementById("console");
if (box) startConsole(box.dataset);

function startConsole({ worker = "", file = "", size = "0", head = "0" }: DOMStringMap) {
  const sql = byId("query", HTMLTextAreaElement);
  const run = byId("run", HTMLButtonElement);
  const stop = byId("stop", HTMLButtonElement);
  const status = byId("status", HTMLElement);
  const fault = byId("fault", HTMLElement);
  const result = byId("result", HTMLElement);
  const example = byId("example", HTMLSelectElement);
  const limit = (id: string) => Number(byId(id, HTMLSelectElement).value);
  const runner = createRunner(worker);

  let isBusy = false;

  // A button that is disabled would lose the focus.
  function setBusy(busy: boolean) {
    isBusy = busy;
    run.ariaDisabled = String(busy);
    stop.ariaDisabled = String(!busy);
    result.ariaBusy = String(busy);
  }

  function say(text: string) {
    status.textContent = text;
  }

  async function ask(text = sql.value, mostBytes = FREE_BYTES) {
    sql.value = text;
    history.replaceState(null, "", FRAGMENT + encodeURIComponent(text));
    result.replaceChildren();
    fault.replaceChildren();
    setBusy(true);
    say(WORDS.reading);
    bringIntoView();
    const answer = await runner.ask({
      file: { path: file, size: Number(size), head: Number(head) },
      sql: text,
      mostRows: limit("rows"),
      mostBytes,
      seconds: limit("seconds"),
    });
    setBusy(false);
    if (answer) show(text, answer, mostBytes);
    else say(WORDS.stopped);
  }

  function show(text: string, answer: Answer, mostBytes: number) {
    say(WORDS.cost(answer.cost));
    if (answer.kind === "fault") complain(text, answer);
    else if (answer.kind === "spent") askFirst(text, answer.cost.bytes, answer.whole, mostBytes);
    else result.replaceChildren(...showResult(answer));
  }

  function complain(text: string, mistake: Mistake) {
    fault.replaceChildren(...showMistake(text, mistake, replace));
    if (mistake.token && document.activeElement === sql && sql.value === text)
      sql.setSelectionRange(mistake.token.start, mistake.token.end);
  }

  function replace(start: number, end: number, name: string) {
    sql.setRangeText(name, start, end, "end");
    fault.replaceChildren();
    say(WORDS.inserted(name));
    sql.focus();
  }

  function askFirst(text: string, read: number, whole: number, mostBytes: number) {
    say(whole > read ? WORDS.spentOfWhole(read, whole) : WORDS.spent(read));
    const next = Math.max(MORE * mostBytes, SLACK * whole);
    const goOn = element("button", { type: "button" }, WORDS.goOn(Math.min(next, Number(size))));
    goOn.addEventListener("click", () => void ask(text, next));
    result.replaceChildren(element("p", {}, goOn));
    goOn.focus();
  }

  function bringIntoView() {
    const { top } = status.getBoundingClientRect();
    if (top < 0 || top > SEEN * innerHeight) status.scrollIntoView();
  }

  function readFragment() {
    if (!location.hash.startsWith(FRAGMENT)) return;
    try {
      sql.value = decodeURIComponent(location.hash.slice(FRAGMENT.length)).slice(0, sql.maxLength);
      say(WORDS.linkReady);
    } catch {
      say(WORDS.linkBroken);
    }
  }

  /** Inserts a name at the caret, apart from a word before it. */
  function insert(name: string) {
    const isAfterWord = /[\p{L}\p{N}_]$/u.test(sql.value.slice(0, sql.selectionStart));
    sql.setRangeText(isAfterWord ? ` ${name}` : name, sql.selectionStart, sql.selectionEnd, "end");
    say(WORDS.inserted(name));
  }

  byId("console-form", HTMLFormElement).addEventListener("submit", (event) => {
    event.preventDefault();
    if (!isBusy) void ask();
  });
  sql.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    run.form?.requestSubmit();
  });
  stop.addEventListener("click", () => {
    if (isBusy) runner.stop();
  });
  addEventListener("hashchange", readFragment);
  const questions = [...document.querySelectorAll<HTMLElement>(".question")];
  const queryOf = (question: HTMLElement | undefined) => question?.querySelector("code")?.textContent ?? "";
  for (const question of questions)
    question.querySelector("button")?.addEventListener("click", () => {
      if (!isBusy) void ask(queryOf(question));
    });
  example.addEventListener("change", () => {
    if (example.value === "") return;
    sql.value = queryOf(questions[Number(example.value)]);
    say(WORDS.exampleReady);
  });
  offerNames(byId("names", HTMLElement), insert);
  readFragment();
  run.ariaDisabled = "false";
}

/** Makes the names in the list of tables and columns buttons, each when its table is opened: there are many. */
function offerNames(list: HTMLElement, choose: (name: string) => void) {
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

/** Shows the mistake in a statement: in words, with its line and the place marked in it, and with the name that may be meant. */
function showMistake(
  sql: string,
  mistake: Mistake,
  replace: (start: number, end: number, name: string) => void,
): Node[] {
  const { text, token, meant } = mistake;
  const shown: Node[] = [element("p", {}, element("strong", {}, text))];
  if (token) shown.push(...showPlace(sql, token));
  if (meant !== undefined) {
    const line = element("p", {}, `${WORDS.meant(meant)} `);
    if (token) {
      const use = element("button", { type: "button" }, WORDS.useName(meant));
      use.addEventListener("click", () => replace(token.start, token.end, meant));
      line.append(use);
    }
    shown.push(line);
  }
  return shown;
}

function showPlace(sql: string, { start, end }: NonNullable<Mistake["token"]>): Node[] {
  const before = sql.slice(0, start).split("\n");
  const line = before.at(-1) ?? "";
  const rest = sql.slice(end).split("\n", 1)[0] ?? "";
  const marked = element("mark", {}, sql.slice(start, end));
  return [
    element("p", {}, WORDS.place(before.length, line.length + 1)),
    element("pre", { dir: "ltr", tabindex: "0" }, element("code", {}, line, marked, rest)),
  ];
}
