import { describe, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { runCommand, temporaryFolder } from "../helpers/run.ts";
import { startServer } from "../helpers/server.ts";

const NAME = `metasnap/${manifest.version}`;
const MAIL = "night+watch@example.org";
const PAGE = "https://example.org/~me?bot=1";

describe("whoever is asked sees who asks", () => {
  const cases: [command: string, args: string[], env: Record<string, string>, agent: string][] = [
    ["crawl", ["--contact", MAIL], {}, `${NAME} (+${MAIL})`],
    ["crawl", [], { METASNAP_CONTACT: PAGE }, `${NAME} (+${PAGE})`],
    ["crawl", [], {}, NAME],
    ["pull", ["--contact", PAGE], {}, `${NAME} (+${PAGE})`],
    ["pull", [], {}, NAME],
    ["serve", ["--contact", MAIL], {}, `${NAME} (+${MAIL})`],
  ];
  test.for(cases)("%s %j %j", async ([command, args, env, agent]) => {
    using folder = temporaryFolder();
    await using server = await startServer((_, res) => void res.writeHead(404).end());
    const where = {
      crawl: ["--upstream", server.url, "--attempts", "1"],
      pull: [server.url],
      serve: ["--follow", server.url, "--port", "0"],
    }[command];
    await runCommand(command, [...(where ?? []), "--data", folder.path, ...args], env);
    expect(server.seen.length).toBeGreaterThan(0);
    expect(new Set(server.seen.map(({ headers }) => headers["user-agent"]))).toEqual(new Set([agent]));
  });
});
