import { ENDPOINT_GROUPS } from "../../api/endpoints.ts";
import { describeAllowed, INDEX, LANG, type Parameter, SIZE } from "../../api/request/parameters.ts";
import type { SnapshotFacts } from "../response/http-response.ts";
import { type Document, type Site, siteAddress } from "./route.ts";

/** Parameters of nearly all endpoints, which are explained once. */
const COMMON: readonly Parameter[] = [SIZE, INDEX, LANG];

/** `/llms.txt` (https://llmstxt.org): what an assistant needs to ask this mirror. No words of the upstream stand in it. */
export function describeForAssistants(snapshot: SnapshotFacts, documents: readonly Document[], site: Site): string {
  const link = (path: string) => `[${path}](${siteAddress(site, path)})`;
  const groups = ENDPOINT_GROUPS.map(
    ({ summary, endpoints }) =>
      `## ${summary}\n\n${endpoints
        .map(({ path, summary, parameters }) => `- ${link(path)}: ${summary}. ${describeAll(parameters)}`)
        .join("\n")}`,
  );
  const others = documents
    .filter(({ method, group }) => method === "GET" && group !== "admin")
    .map(({ route, summary }) => `- ${link(route)}: ${summary}`);
  return `# Game hero data, mirrored

> Read-only JSON API with the heroes of a game: texts, win, pick and ban rates, counters, team mates, builds and more. It needs no key.

All endpoints answer GET. Most answers are \`{"code":0,"message":"OK","data":{"records":[…],"total":N}}\`, errors are \`{"success":false,"error":{"code","message","hint","detail","fields"}}\`. Rates are shares: 0.5 is 50 %. A hero in a path is an id or a name. Answers come from one snapshot, which \`x-snapshot-version\` names; \`x-data-at\` dates each.
${snapshot.sample ? "\nThe numbers of this mirror are made up: a sample to try things on.\n" : ""}
Parameters of most endpoints: ${describeParameters(COMMON)}.

${groups.join("\n\n")}

## About this mirror

${others.join("\n")}
`;
}

function describeAll(parameters: readonly Parameter[]): string {
  const particular = parameters.filter((parameter) => !COMMON.includes(parameter));
  const common = parameters.filter((parameter) => COMMON.includes(parameter)).map(({ name }) => `\`${name}\``);
  const all = [...(particular.length > 0 ? [describeParameters(particular)] : []), ...common];
  return all.length > 0 ? `Parameters: ${all.join(", ")}` : "No parameters";
}

const describeParameters = (parameters: readonly Parameter[]): string =>
  parameters
    .map((parameter) => {
      const fallback = "default" in parameter ? `, default ${parameter.default}` : "";
      return `\`${parameter.name}\` (${describeAllowed(parameter)}${fallback})`;
    })
    .join(", ");
