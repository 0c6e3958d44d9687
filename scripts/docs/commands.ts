import { ERRORS, REGION_ERRORS } from "../../src/api/errors.ts";
import { EXIT } from "../../src/api/failure.ts";
import { FAULTS, type Fault } from "../../src/api/faults.ts";
import { PAGES } from "../../src/pages/list.ts";
import { DOCUMENTS } from "../../src/server/routes/documents.ts";
import { loadCommand } from "../cli/call.ts";
import { COMMANDS, codesOf, listEndings } from "./endings.ts";
import { fillPlaces, headed } from "./page.ts";
import { renderPolicies } from "./policies.ts";

/** The parts of scripts/README.md that come from the commands. */
export async function renderCommands(text: string): Promise<string> {
  const helps = await Promise.all(COMMANDS.map(async (name) => [name, await helpOf(name)] as const));
  const parts = helps.map(([name, help]) => [name, describe(name, help)]);
  return fillPlaces(text, {
    ...Object.fromEntries(parts),
    variables: describeVariables(helps),
    documents: describeDocuments(),
    pages: headed(
      ["path", "shows"],
      PAGES.map(({ route, summary }) => [`\`${route}\``, summary]),
    ),
    reasons: describeReasons(),
    policies: renderPolicies(),
    "exit-codes": headed(
      ["code", "from", "meaning"],
      listEndings().map((cells) => cells.map(String)),
    ),
    errors: describeErrors(),
  });
}

async function helpOf(name: string): Promise<string> {
  const { call } = await loadCommand(name);
  const { stdout } = await call(["--help"]);
  return stdout.trim();
}

const describe = (name: (typeof COMMANDS)[number], help: string) =>
  `\`\`\`\n${help}\n\`\`\`\n\n[Exit codes](#exit-codes): ${codesOf(name).join(", ")}.`;

/** Each variable with the commands that it is for. */
function describeVariables(helps: (readonly [name: string, help: string])[]): string {
  const uses = helps.flatMap(([name, help]) =>
    [...help.matchAll(/env:\s+(\w+)/g)].map(([, variable = ""]) => ({ name, variable })),
  );
  const rows = [...Map.groupBy(uses, ({ variable }) => variable)].sort(([a], [b]) => (a < b ? -1 : 1));
  return headed(
    ["variable", "commands"],
    rows.map(([variable, of]) => [`\`${variable}\``, of.map(({ name }) => `\`${name}\``).join(", ")]),
  );
}

/** By the longer of two summaries: those of the index and of the OpenAPI document. */
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
  const rows = Object.entries<Fault>(FAULTS).map(
    ([reason, { text, exit = EXIT.incomplete, exitWithoutRoster = exit }]) => [
      `\`${reason}\``,
      text,
      String(exit),
      String(exitWithoutRoster),
    ],
  );
  return headed(["reason", "what came", "slices", "heroes"], rows);
}

function describeErrors(): string {
  const rows = Object.entries({ ...ERRORS, ...REGION_ERRORS }).map(([code, { status, when }]) => [
    code,
    String(status),
    code in REGION_ERRORS ? `never: ${when}` : when,
  ]);
  return headed(["code", "status", "when"], rows);
}
