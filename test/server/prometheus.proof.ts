/** What Prometheus itself says of the metrics, of the scrape configuration and of the alerts: promtool is a part of it. */
import { spawnSync } from "node:child_process";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ALERTS, type Alert, PROMETHEUS } from "../helpers/alerts.ts";
import { crawlOptions, LITTLE, runCommand, temporaryFolder } from "../helpers/run.ts";
import { startServe } from "../helpers/served.ts";
import { startUpstream } from "../helpers/upstream/upstream.ts";

function promtool(words: string[], input = "") {
  const { status, stdout, stderr } = spawnSync("promtool", words, { input, encoding: "utf8" });
  return { status, said: stdout + stderr };
}

/** A night without hero texts in Japanese, so that a part is closed. */
async function crawlNight(data: string) {
  await using upstream = await startUpstream(3, ({ url = "" }, response) => {
    if (!/^\/api\/heroes\/\d+\?.*lang=ja/.test(url)) return false;
    response.writeHead(422, { "content-type": "application/json" }).end('{"detail":"no such language"}');
    return true;
  });
  const words = [...LITTLE, "--endpoints", "heroes,hero,rank", "--attempts", "1", "--allow-partial"];
  expect((await runCommand("crawl", [...crawlOptions(upstream.url, data), ...words])).code).toBe(7);
}

test("promtool has no complaint about the metrics of a mirror", async () => {
  using folder = temporaryFolder();
  await crawlNight(folder.path);
  await using served = await startServe(["--data", folder.path]);
  const statuses = [];
  for (const path of ["/api/heroes?size=1", "/api/heroes/0", "/api/heroes/1?lang=ja"])
    statuses.push((await fetch(served.url + path)).status);
  const tooLarge = { headers: { "x-long": "x".repeat(100_000) } };
  expect([...statuses, (await fetch(served.url, tooLarge)).status]).toEqual([200, 422, 503, 431]);
  const text = await (await fetch(`${served.url}/metrics`)).text();
  // It looks at no metric without a value.
  for (const [, name] of text.matchAll(/^# TYPE (\w+)/gm)) expect(text).toMatch(new RegExp(`^${name}\\w*[{ ]`, "m"));
  expect(promtool(["check", "metrics"], text)).toEqual({ status: 0, said: "" });
  const misnamed = text.replaceAll("_refused_connections_total", "_refused_connections");
  expect(promtool(["check", "metrics"], misnamed)).toEqual({
    status: 3,
    said: expect.stringContaining('counter metrics should have "_total" suffix'),
  });
});

describe("promtool accepts", () => {
  const checks = [
    ["scrape.yml", ["check", "config", "--lint=all", "--lint-fatal"], "job_name:", "jobname:"],
    ["alerts.yml", ["check", "rules", "--lint=all", "--lint-fatal"], "== 1 or", "== 1 or or"],
  ] as const;

  test.for(checks)("%s as it is, and not with a fault", ([name, words, word, fault]) => {
    using folder = temporaryFolder();
    cpSync(PROMETHEUS, folder.path, { recursive: true });
    const file = join(folder.path, name);
    expect(promtool([...words, file])).toMatchObject({ status: 0 });
    const text = readFileSync(file, "utf8");
    expect(text).toContain(word);
    writeFileSync(file, text.replace(word, fault));
    expect(promtool([...words, file]).status).toBe(1);
  });
});

const MIRROR = 'instance="mirror:3000",job="metasnap"';

interface Story {
  alert: string;
  /** Values of the metrics of one mirror, minute by minute, as promtool writes them: `1x5` is six times 1. */
  series: Record<string, string>;
  /** Ends of the waits. */
  quiet: string[];
  fires?: string;
  /** What the summary says in the place of the value. */
  value?: string;
}

const requests = (route: string, status: string) =>
  `metasnap_http_request_duration_seconds_count{method="GET",route="${route}",status="${status}"}`;

const crawlEnds = (code: number): Story => ({
  alert: "MetasnapCrawlTrouble",
  series: { metasnap_last_crawl_exit_code: `${code}x700` },
  ...([0, 2, 130].includes(code) ? { quiet: ["10h", "11h"] } : { quiet: ["9h59m"], fires: "10h", value: String(code) }),
});

const STORIES: Story[] = [
  { alert: "MetasnapDown", series: { up: "0x10" }, quiet: ["4m"], fires: "5m" },
  { alert: "MetasnapDown", series: { up: "0x4 1x20" }, quiet: ["4m", "5m", "20m"] },
  {
    alert: "MetasnapSnapshotOld",
    series: { metasnap_snapshot_started_timestamp_seconds: "0x2200" },
    quiet: ["36h"],
    fires: "36h1m",
    value: "1d 12h 1m 0s",
  },
  {
    alert: "MetasnapSnapshotOld",
    series: { metasnap_snapshot_started_timestamp_seconds: "0x1500 86400x1500" },
    quiet: ["36h1m", "48h"],
  },
  { alert: "MetasnapSnapshotRefused", series: { metasnap_snapshot_refused: "1x20" }, quiet: ["9m"], fires: "10m" },
  { alert: "MetasnapSnapshotRefused", series: { metasnap_snapshot_refused: "1x5 0x20" }, quiet: ["5m", "10m"] },
  { alert: "MetasnapSourceFailing", series: { metasnap_source_frozen: "1x70" }, quiet: ["59m"], fires: "1h" },
  { alert: "MetasnapSourceFailing", series: { metasnap_source_older: "1x70" }, quiet: ["59m"], fires: "1h" },
  {
    alert: "MetasnapSourceFailing",
    series: {
      metasnap_source_last_error_timestamp_seconds: "100+60x70",
      metasnap_source_last_look_timestamp_seconds: "90x70",
    },
    quiet: ["59m"],
    fires: "1h",
  },
  {
    alert: "MetasnapSourceFailing",
    series: {
      metasnap_source_frozen: "1x30 0x60",
      metasnap_source_older: "0x90",
      metasnap_source_last_error_timestamp_seconds: "100x90",
      metasnap_source_last_look_timestamp_seconds: "90x10 700+60x80",
    },
    quiet: ["1h", "90m"],
  },
  ...[0, 1, 2, 3, 4, 5, 6, 7, 64, 130].map(crawlEnds),
  {
    alert: "MetasnapCrawlTrouble",
    series: { metasnap_last_crawl_exit_code: "3x590 0x200" },
    quiet: ["9h", "10h", "12h"],
  },
  {
    alert: "MetasnapRequestsFailing",
    series: {
      [requests("/api/heroes", "5xx")]: "0+10x60",
      [requests("/api/heroes", "2xx")]: "0+90x60",
      [requests("/ready", "2xx")]: "0+9000x60",
    },
    quiet: ["10m"],
    fires: "30m",
    value: "10%",
  },
  {
    alert: "MetasnapRequestsFailing",
    series: {
      [requests("/ready", "5xx")]: "0+60x60",
      [requests("/api/user/auth/login", "5xx")]: "0+60x60",
      [requests("/api/heroes", "5xx")]: "0+4x60",
      [requests("/api/heroes", "2xx")]: "0+96x60",
    },
    quiet: ["30m", "60m"],
  },
  // One failure, and nobody else asks.
  {
    alert: "MetasnapRequestsFailing",
    series: { [requests("/api/heroes", "5xx")]: "0x9 1x50", [requests("/api/heroes", "2xx")]: "5x60" },
    quiet: ["12m", "19m", "25m", "30m", "60m"],
  },
];

const toSeries = (name: string) => (name.endsWith("}") ? name.replace("{", `{${MIRROR},`) : `${name}{${MIRROR}}`);

/** What Prometheus tells of a rule that fires: its labels, and its own words with what they stand for. */
function told({ expr, labels, annotations }: Alert, value = "") {
  const own = expr.includes("by (instance)") ? {} : { job: "metasnap" };
  const render = (text: string) =>
    text.replaceAll("{{ $labels.instance }}", "mirror:3000").replaceAll(/\{\{ \$value[^}]*\}\}/g, value);
  const { summary, description } = annotations;
  return {
    exp_labels: { ...labels, ...own, instance: "mirror:3000" },
    exp_annotations: { summary: render(summary), description: render(description) },
  };
}

/** A story as `promtool test rules` takes it: of all rules the named one fires, and only then. */
function toTest({ alert: named, series, quiet, fires, value }: Story) {
  const expectations = ALERTS.flatMap((rule) => {
    const { alert: alertname } = rule;
    const isTold = fires !== undefined && alertname === named;
    return [
      ...quiet.map((eval_time) => ({ eval_time, alertname, exp_alerts: [] })),
      ...(fires ? [{ eval_time: fires, alertname, exp_alerts: isTold ? [told(rule, value)] : [] }] : []),
    ];
  });
  return {
    interval: "1m",
    input_series: Object.entries(series).map(([name, values]) => ({ series: toSeries(name), values })),
    alert_rule_test: expectations,
  };
}

describe("the alerts", () => {
  function run(stories: readonly Story[]) {
    using folder = temporaryFolder();
    const file = join(folder.path, "stories.yml");
    const tests = stories.map(toTest);
    // JSON is YAML, too.
    writeFileSync(
      file,
      JSON.stringify({ rule_files: [join(PROMETHEUS, "alerts.yml")], evaluation_interval: "1m", tests }),
    );
    return promtool(["test", "rules", file]);
  }

  test("each have a story in which they fire, and one in which they do not", () => {
    const names = ALERTS.map(({ alert }) => alert).sort();
    const storiesOf = (isTold: boolean) => STORIES.filter(({ fires }) => (fires !== undefined) === isTold);
    for (const isTold of [true, false])
      expect([...new Set(storiesOf(isTold).map(({ alert }) => alert))].sort()).toEqual(names);
  });

  test("fire when they should, with their words, and are quiet otherwise", () => {
    const { status, said } = run(STORIES);
    expect([status, said]).toEqual([0, expect.stringContaining("SUCCESS")]);
  });

  test("fail each story that has them fire too late", () => {
    for (const story of STORIES.filter(({ fires }) => fires !== undefined))
      expect([story, run([{ ...story, quiet: [story.fires ?? ""] }]).status]).toEqual([story, 1]);
  });
});
