import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { defineServe } from "../../scripts/cli/options/serve.ts";
import { DOCUMENTS } from "../../src/server/routes/documents.ts";
import { ALERTS, PROMETHEUS } from "../helpers/alerts.ts";
import { copyOf } from "../helpers/data-folder.ts";
import { fewNights } from "../helpers/few-nights.ts";
import { startServe } from "../helpers/served.ts";

test("each of the six alerts says in sentences what is wrong and what to do next", () => {
  expect(new Set(ALERTS.map(({ alert }) => alert)).size).toBe(6);
  for (const { alert, labels, annotations } of ALERTS) {
    expect([alert, labels.severity]).toEqual([alert, expect.stringMatching(/^(critical|warning)$/)]);
    expect(annotations).toEqual({
      summary: expect.stringMatching(/^The .*\{\{ \$labels\.instance \}\}.*\.$/),
      description: expect.stringMatching(/^\S.{80,}\.$/),
    });
  }
});

test("the scrape configuration asks the port that serve has by default, and loads the alerts beside it", () => {
  const { rule_files, scrape_configs } = parse(readFileSync(join(PROMETHEUS, "scrape.yml"), "utf8"));
  expect(rule_files).toEqual(["alerts.yml"]);
  expect(existsSync(join(PROMETHEUS, "alerts.yml"))).toBe(true);
  const { port, host } = defineServe().opts();
  expect(scrape_configs).toEqual([{ job_name: "metasnap", static_configs: [{ targets: [`${host}:${port}`] }] }]);
  expect(ALERTS.some(({ expr }) => expr.startsWith('up{job="metasnap"}'))).toBe(true);
});

test("every metric and label in an alert is one of a mirror that has crawled", async () => {
  using folder = copyOf(fewNights.data);
  await using served = await startServe(["--data", folder.path]);
  await fetch(`${served.url}/api/heroes?size=1`);
  const text = await (await fetch(`${served.url}/metrics`)).text();
  const labels = new Map(
    [...text.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)].map(([, name = "", pairs = ""]) => [
      name,
      [...pairs.matchAll(/(\w+)="/g)].map(([, label]) => label),
    ]),
  );
  const named = ALERTS.flatMap(({ expr }) => [...expr.matchAll(/\b(metasnap_\w+)(?:\{([^}]*)\})?/g)]);
  expect(named.length).toBeGreaterThan(6);
  for (const [whole, name = "", selector = ""] of named) {
    expect([...labels.keys()], whole).toContain(name);
    for (const [, label] of selector.matchAll(/(\w+)(?:=~|!~|!=|=)"/g))
      expect(labels.get(name), whole).toContain(label);
  }
});

test("the share of failed requests leaves out the routes of operators and logins, and no other", () => {
  const patterns = ALERTS.flatMap(({ expr }) => [...expr.matchAll(/route!~"([^"]*)"/g)]).map(([, pattern]) => pattern);
  expect(patterns.length).toBeGreaterThan(0);
  for (const pattern of patterns)
    expect(DOCUMENTS.filter(({ route }) => new RegExp(`^(?:${pattern})$`).test(route))).toEqual(
      DOCUMENTS.filter(({ group }) => group === "admin" || group === "auth"),
    );
});
