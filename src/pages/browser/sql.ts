/** The SQL console: shows what a worker reads from the published file, which the page names. */
import { byId, element } from "./dom/elements.ts";
import type { Answer, Cost } from "./sql/messages.ts";
import { showResult } from "./sql/result.ts";
import { createRunner } from "./sql/runner.ts";

const FRAGMENT = "#sql=";
/** A confirmed query may read more than was guessed. */
const SLACK = 2;

const box = document.getElementById("console");
if (box) startConsole(box, box.dataset);

function startConsole(box: HTMLElement, { worker = "", file = "", size = "0" }: DOMStringMap) {
  const sql = byId("query", HTMLTextAreaElement);
  const run = byId("run", HTMLButtonElement);
  const stop = byId("stop", HTMLButtonElement);
  const status = byId("status", HTMLElement);
  const result = byId("result", HTMLElement);
  const limit = (id: string) => Number(byId(id, HTMLSelectElement).value);
  const runner = createRunner(worker);

  let isBusy = false;

  // A button that is disabled would lose the focus.
  function setBusy(busy: boolean) {
    isBusy = busy;
    run.ariaDisabled = String(busy);
    stop.ariaDisabled = String(!busy);
  }

  function say(text: string) {
    status.textContent = text;
  }

  async function ask(text = sql.value, guessed = 0) {
    sql.value = text;
    history.replaceState(null, "", FRAGMENT + encodeURIComponent(text));
    result.replaceChildren();
    setBusy(true);
    say("Reading …");
    const answer = await runner.ask({
      file,
      size: Number(size),
      sql: text,
      mostRows: limit("rows"),
      mostBytes: Math.max(1e6 * limit("megabytes"), SLACK * guessed),
      seconds: limit("seconds"),
      confirmed: guessed > 0,
    });
    setBusy(false);
    if (answer) show(text, answer);
    else say("Stopped.");
  }

  function show(text: string, answer: Answer) {
    if (answer.kind === "fault") say(`${answer.text} ${costOf(answer.cost)}`);
    else if (answer.kind === "scan") askFirst(text, answer.bytes);
    else {
      say(costOf(answer.cost));
      result.replaceChildren(...showResult(answer));
    }
  }

  function askFirst(text: string, bytes: number) {
    say(`No index helps this query: it may read up to about ${megabytes(bytes)} of the file. Go on?`);
    const goOn = element("button", { type: "button" }, `Read ${megabytes(bytes)}`);
    goOn.addEventListener("click", () => void ask(text, bytes));
    result.replaceChildren(element("p", {}, goOn));
    goOn.focus();
  }

  function readFragment() {
    if (!location.hash.startsWith(FRAGMENT)) return;
    try {
      sql.value = decodeURIComponent(location.hash.slice(FRAGMENT.length)).slice(0, sql.maxLength);
      say("The query of this link is ready: look at it, then run it.");
    } catch {
      say("The query of this link cannot be read.");
    }
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
  addExamples(byId("examples", HTMLElement), (text) => {
    sql.focus();
    if (!isBusy) void ask(text);
  });
  readFragment();
  document.getElementById("no-console")?.remove();
  box.hidden = false;
}

/** A button for each question that the page has with its query. */
function addExamples(list: HTMLElement, choose: (sql: string) => void) {
  for (const question of document.querySelectorAll<HTMLElement>(".question")) {
    const [name, code] = [question.querySelector("h3"), question.querySelector("code")];
    const button = element("button", { type: "button" }, name?.textContent ?? "");
    button.addEventListener("click", () => choose(code?.textContent ?? ""));
    list.append(element("li", {}, button));
  }
}

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;

const costOf = ({ requests, bytes, milliseconds }: Cost) =>
  `${requests === 1 ? "1 request" : `${requests} requests`}, ${Math.ceil(bytes / 1000)} kB, ${milliseconds} ms.`;
