import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { blocksOf, toPattern } from "../helpers/pages.ts";
import { runCommand, startCommand, temporaryFolder } from "../helpers/run.ts";

test("`make demo` shows what the mirror answers, until it is told to stop", async () => {
  using folder = temporaryFolder();
  const data = join(folder.path, ".demo");
  const few = {
    METASNAP_SAMPLE_HEROES: "3",
    METASNAP_CRAWL_LANGUAGES: "en,ja",
    METASNAP_RANKS: "all",
    METASNAP_ALLOW_PARTIAL: "1",
  };
  const demo = async (until: RegExp) => {
    const { child, ended } = startCommand("demo", [], { METASNAP_DATA: data, ...few });
    let shown = "";
    let isTold = false;
    child.stdout?.on("data", (part) => {
      shown += part;
      if (isTold || !until.test(shown)) return;
      // A second one would end it at once.
      isTold = child.kill("SIGINT");
    });
    return await ended;
  };
  const cut = await demo(/^upstream host/m);
  expect([cut.code, cut.stderr]).toEqual([130, expect.stringMatching(/run the same command again to resume\n$/)]);
  const crawls = () => readdirSync(join(data, "journals")).filter((name) => name.endsWith(".journal"));
  const begun = crawls();
  const whole = await demo(/^stop with Ctrl-C; open in a browser: http:\S+\/$/m);
  expect([whole.code, whole.stderr, crawls()]).toEqual([0, "", begun]);
  const [shown = ""] = blocksOf("scripts/demo.md", "console").map((block) => block.replace("$ metasnap demo\n", ""));
  expect(whole.stdout.replaceAll(data, ".demo")).toMatch(toPattern(shown));
  expect(whole.stdout.match(/^\$ curl -s '.*'\n\{/gm)).toHaveLength(5);
  const again = await demo(/^stop with Ctrl-C; open in a browser: http:\S+\/$/m);
  expect([again.code, crawls()]).toEqual([0, begun]);
  expect(again.stdout).toMatch(/ has the sample from an earlier demo, \S+: serving that; --fresh crawls it anew\n/);
  expect(again.stdout).not.toMatch(/^upstream host/m);

  const [, next = ""] = /now try, in another terminal:\n(.*?)\n\nstop/s.exec(whole.stdout) ?? [];
  const steps = [...next.matchAll(/^npm run (?:--silent )?(\S+) -- (.*)$/gm)];
  expect(steps.map(([line]) => line)).toEqual(next.split("\n"));
  const ended = [];
  for (const [, name = "", rest = ""] of steps)
    ended.push(await runCommand(name, rest.match(/'[^']*'|\S+/g)?.map((word) => word.replaceAll("'", "")) ?? []));
  expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual([0, 0, 0].map((code) => [code, ""]));
  expect(ended[1]?.stdout).toMatch(/^\{"code":0,"message":"OK","data":\{"records":\[\{/);
  expect(readdirSync(join(data, "export"))).toEqual(expect.arrayContaining(["hero.parquet", "tier_list.parquet"]));
});
