import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ENDPOINTS } from "../src/api/endpoints.ts";
import { ERRORS } from "../src/api/errors.ts";
import { INDEX, isRequired, LANG, SIZE } from "../src/api/request/parameters.ts";
import { commandLine } from "./cli/command-line.ts";
import { fillPlaces, renderDictionary, table } from "./docs/dictionary.ts";

/** The parts of the README that come from the code. `make docs` writes them, a test checks them. */
export const COMMANDS = [
  "crawl",
  "build",
  "serve",
  "verify",
  "rollback",
  "diff",
  "history",
  "export",
  "pull",
  "sample",
  "demo",
  "bench",
];
const README = join(import.meta.dirname, "..", "README.md");
const DICTIONARY = join(import.meta.dirname, "..", "data", "README.md");

export function renderReadme(text: string): string {
  return fillPlaces(text, { endpoints: endpointRows(), errors: errorRows(), commands: commandHelp() });
}

function endpointRows(): string {
  const shared = [SIZE, INDEX, LANG];
  const rows = ENDPOINTS.map(({ path, dataset, parameters }) => {
    const own = parameters.filter((parameter) => !shared.includes(parameter));
    const names = own.map((one) => (isRequired(one) ? `**\`${one.name}\`**` : `\`${one.name}\``)).join(", ");
    return [`\`${path}\``, dataset, parameters.includes(SIZE) ? names : [names, "no pages"].filter(Boolean).join("; ")];
  });
  return table([["path", "dataset", "parameters besides `size`, `index`, `lang`"], ["---", "---", "---"], ...rows]);
}

function errorRows(): string {
  const rows = Object.entries(ERRORS).map(([code, { status, when }]) => [code, String(status), when]);
  return table([["code", "status", "when"], ["---", "---", "---"], ...rows]);
}

function commandHelp(): string {
  return COMMANDS.map((name) => {
    const help = execFileSync(process.execPath, [...commandLine(name), "--help"], { encoding: "utf8", env: {} });
    return `\`\`\`\n${help.trim()}\n\`\`\``;
  }).join("\n\n");
}

if (import.meta.main) {
  writeFileSync(README, renderReadme(readFileSync(README, "utf8")));
  // The first rows of the views need a snapshot of the sample; without one they stay as they are.
  writeFileSync(DICTIONARY, renderDictionary(readFileSync(DICTIONARY, "utf8"), process.env.SAMPLE_SNAPSHOT));
}
