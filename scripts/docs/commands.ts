import { ENDPOINTS } from "../../src/api/endpoints.ts";
import { ERRORS } from "../../src/api/errors.ts";
import { EXIT } from "../../src/api/failure.ts";
import { FAULTS, type Fault } from "../../src/api/faults.ts";
import { describeFileEnding } from "../../src/api/request/file-path.ts";
import { INDEX, isRequired, LANG, SIZE } from "../../src/api/request/parameters.ts";
import { ABSENCES } from "../../src/extra/nights/api-files/answer.ts";
import { PAGES } from "../../src/extra/pages/list.ts";
import { DIMENSIONS } from "../../src/extra/sample/service/slice.ts";
import { type Effect, FORMS } from "../../src/extra/sample/troubles/forms.ts";
import { LIMITS } from "../../src/extra/sample/troubles/troubles.ts";
import { DOCUMENTS } from "../../src/server/routes/documents.ts";
import type { CommandName } from "../bin/called.ts";
import summaries from "../bin/commands.json" with { type: "json" };
import { loadCommand } from "../cli/call.ts";
import { COMMANDS, listEndings, listMeanings } from "./endings.ts";
import { describeCrawlLimits, describeServerLimits } from "./limits.ts";
import { fillPlaces, headed } from "./page.ts";

type Render = (text: string) => string | Promise<string>;

/** Places on the page of a command that the code fills, besides its options and exit codes. */
const MORE: Partial<Record<CommandName, () => Record<string, string>>> = {
  crawl: () => ({ reasons: describeReasons(), limits: describeCrawlLimits() }),
  export: () => ({ absences: headed(["reason", "why"], Object.entries(ABSENCES)) }),
  serve: () => ({
    endpoints: describeEndpoints(),
    documents: describeDocuments(),
    pages: describePages(),
    limits: describeServerLimits(),
    errors: describeErrors(),
  }),
  sample: () => ({ where: describeWhere(), forms: describeForms() }),
};

/** The pages beside the scripts: the index, one for each command, and those by task. */
export const COMMAND_PAGES: Record<string, Render> = {
  "scripts/README.md": (text) =>
    fillPlaces(text, { commands: describeCommands(), "exit-codes": describeMeanings(), endings: describeEndings() }),
  "scripts/environment.md": async (text) => fillPlaces(text, { variables: await describeVariables() }),
  ...Object.fromEntries(COMMANDS.map((name) => [`scripts/${name}.md`, (text: string) => renderCommand(name, text)])),
};

async function renderCommand(name: CommandName, text: string): Promise<string> {
  const options = `\`\`\`\n${await readHelp(name)}\n\`\`\`\n\n[Exit codes](README.md#exit-codes)`;
  return fillPlaces(text, { options, ...MORE[name]?.() });
}

async function readHelp(name: CommandName): Promise<string> {
  const { call } = await loadCommand(name);
  const { stdout } = await call(["--help", "--all"]);
  return stdout.trim();
}

const describeCommands = () =>
  headed(
    ["command", "what it does"],
    Object.entries(summaries).map(([name, summary]) => [`[${name}](${name}.md)`, summary]),
  );

const describeMeanings = () => headed(["code", "meaning", "next"], listMeanings());

const describeEndings = () => headed(["code", "commands", "when"], listEndings());

const codes = (words: readonly string[]) => words.map((word) => `\`${word}\``).join(", ");

const describeWhere = () =>
  headed(
    ["word", "which questions"],
    [
      ["`ratings,rating`", "of these endpoints, by dataset or path"],
      [
        codes(Object.keys(DIMENSIONS).flatMap((name) => (name === "endpoint" ? [] : [`${name}=A,B`]))),
        "with one of these values",
      ],
      ...Object.entries(LIMITS).map(([name, { says }]) => [`\`${name}=N\``, says]),
    ],
  );

const describeForms = () =>
  headed(
    ["form", "what comes"],
    Object.entries<Effect>(FORMS).map(([name, { argument, says }]) => [
      `\`${[name, ...(argument?.slice(0, 1) ?? [])].join(" ")}\``,
      says,
    ]),
  );

const describePages = () =>
  headed(
    ["path", "shows"],
    PAGES.map(({ route, summary }) => [`\`${route}\``, summary]),
  );

/** Describes each variable with the commands that it is for. */
async function describeVariables(): Promise<string> {
  const uses = await Promise.all(
    COMMANDS.map(async (name) => {
      const { options } = (await loadCommand(name)).define();
      return options.flatMap(({ envVar }) => (envVar === undefined ? [] : [{ name, envVar }]));
    }),
  );
  const rows = [...Map.groupBy(uses.flat(), ({ envVar }) => envVar)].sort(([a], [b]) => (a < b ? -1 : 1));
  return headed(
    ["variable", "commands"],
    rows.map(([variable, of]) => [`\`${variable}\``, of.map(({ name }) => `\`${name}\``).join(", ")]),
  );
}

/** Describes documents by the longer of two summaries: those of the index and of the OpenAPI document. */
const describeDocuments = () =>
  headed(
    ["method", "path", "answers"],
    DOCUMENTS.map(({ method, route, summary, openApi: { summary: other = "" } }) => [
      method,
      `\`${route}\``,
      other.length > summary.length ? other : summary,
    ]),
  );

function describeReasons(): string {
  const rows = Object.entries<Fault>(FAULTS).map(([reason, { text, exitWithoutRoster = EXIT.incomplete }]) => [
    `\`${reason}\``,
    text,
    String(exitWithoutRoster),
  ]);
  return headed(["reason", "what came", "heroes"], rows);
}

function describeErrors(): string {
  const rows = Object.entries(ERRORS).map(([code, { status, when }]) => [code, String(status), when]);
  return headed(["code", "status", "when"], rows);
}

function describeEndpoints(): string {
  const shared = [SIZE, INDEX, LANG];
  const rows = ENDPOINTS.map((endpoint) => {
    const { path, dataset, parameters } = endpoint;
    const ending = describeFileEnding(endpoint);
    const ownParameters = parameters.filter((parameter) => !shared.includes(parameter));
    const names = ownParameters
      .map((parameter) => (isRequired(parameter) ? `**\`${parameter.name}\`**` : `\`${parameter.name}\``))
      .join(", ");
    const told = parameters.includes(SIZE) ? names : [names, "no pages"].filter(Boolean).join("; ");
    return [`\`${path}\``, dataset, told, ending === undefined ? "none" : `\`${ending}\``];
  });
  return headed(["path", "dataset", "parameters besides `size`, `index`, `lang`", "ending of a file"], rows);
}
