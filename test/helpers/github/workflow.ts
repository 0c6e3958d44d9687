import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { parse } from "yaml";

export interface Step {
  id?: string;
  name?: string;
  if?: string;
  uses?: string;
  with?: Record<string, unknown>;
  run?: string;
  env?: Record<string, string>;
}

interface Workflow {
  env: Record<string, string>;
  jobs: Record<string, { steps: Step[]; permissions?: Record<string, string> }>;
  permissions: Record<string, string>;
}

export const readWorkflow = (file: string): Workflow => parse(readFileSync(file, "utf8"));

/** What a run has of each step that has an id. */
interface Outcome {
  outcome: "success" | "failure" | "skipped";
  outputs: Record<string, string>;
}

/** What stands for a step that uses an action, or that cannot run here; its outputs. */
export type Instead = (step: Step) => Record<string, string> | undefined;

export interface Run {
  failed: boolean;
  /** What the steps wrote, by name; the last is that of the end. */
  logs: Record<string, string>;
  /** The names of those that ran. */
  ran: string[];
}

/**
 * Runs the steps of a workflow one after another in a folder, as a runner does: by bash, with their conditions, outputs and
 * environment. Expressions are those of `steps`, `github` and `secrets`.
 */
export async function runSteps(
  workflow: Workflow,
  folder: string,
  context: Omit<Contexts, "steps"> & {
    env: Record<string, string>;
    /** Of single steps, by name. */
    more: Record<string, Record<string, string>>;
  },
  instead: Instead,
): Promise<Run> {
  const steps: Record<string, Outcome> = {};
  const run: Run = { failed: false, logs: {}, ran: [] };
  const contexts = { ...context, steps };
  const variables = fill(workflow.env, contexts);
  for (const step of Object.values(workflow.jobs).flatMap((job) => job.steps)) {
    const name = step.name ?? step.uses ?? "";
    const outputs: Record<string, string> = {};
    const done: Outcome = { outcome: "skipped", outputs };
    if (step.id) steps[step.id] = done;
    if (!isDue(step.if, contexts, run.failed)) continue;
    const stands = instead(step);
    if (stands) Object.assign(outputs, stands);
    else {
      const output = join(folder, "..", "output");
      writeFileSync(output, "");
      const own = { ...fill(step.env ?? {}, contexts), ...context.more[name] };
      const env = { ...context.env, ...variables, ...own, GITHUB_OUTPUT: output };
      const { code, said } = await runBash(step.run ?? "", folder, env);
      run.logs[name] = said;
      for (const [, key = "", value = ""] of readFileSync(output, "utf8").matchAll(/^(\w+)=(.*)$/gm))
        outputs[key] = value;
      done.outcome = code === 0 ? "success" : "failure";
      run.failed ||= code !== 0;
    }
    run.ran.push(name);
  }
  return run;
}

async function runBash(script: string, cwd: string, env: Record<string, string>) {
  const file = join(cwd, "..", "step.sh");
  writeFileSync(file, script);
  if (!existsSync(cwd)) throw new Error(`${cwd} is gone`);
  const child = spawn("bash", ["--noprofile", "--norc", "-eo", "pipefail", file], {
    cwd,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code, said: stdout + stderr };
}

type Contexts = {
  steps: Record<string, Outcome>;
  github: Record<string, string>;
  secrets: Record<string, string>;
};

function lookUp(path: string, contexts: Contexts): string {
  const found = path
    .split(".")
    .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], contexts);
  return typeof found === "string" ? found : "";
}

const fill = (env: Record<string, string>, contexts: Contexts): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).map(([name, value]) => [
      name,
      String(value).replace(/\$\{\{ ([\w.-]+) \}\}/g, (_, path) => lookUp(path, contexts)),
    ]),
  );

/** A condition without a word about failures is also that nothing has failed. */
function isDue(condition: string | undefined, contexts: Contexts, failed: boolean): boolean {
  if (condition === undefined) return !failed;
  const expression = condition
    .replace(/^\$\{\{ (.*) \}\}$/, "$1")
    .replaceAll("failure()", String(failed))
    .replaceAll("cancelled()", "false")
    .replaceAll(/steps[\w.-]+/g, (path) => JSON.stringify(lookUp(path, contexts)));
  if (!/^[\s\w"'().!=&|-]*$/.test(expression)) throw new Error(`cannot be evaluated: ${expression}`);
  const holds = Boolean(new Function(`return ${expression}`)());
  return holds && (!failed || /failure\(\)|cancelled\(\)/.test(condition));
}
