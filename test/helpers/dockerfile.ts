import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { text } from "node:stream/consumers";

/** One instruction of a Dockerfile; `said` is what follows the word. */
export interface Instruction {
  word: string;
  said: string;
}

/** The instructions of each stage; those before the first are a stage of their own. */
export function stagesOf(dockerfile: string): Instruction[][] {
  const stages: Instruction[][] = [[]];
  for (const line of dockerfile
    .replaceAll(/^#.*\n/gm, "")
    .replaceAll(/\\\n\s*/g, "")
    .split("\n")
    .filter(Boolean)) {
    const [, word = "", said = ""] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    if (word === "FROM") stages.push([]);
    stages.at(-1)?.push({ word, said });
  }
  return stages;
}

/** Returns the words that the exec form of an instruction starts without a shell. */
export const wordsOf = (stage: readonly Instruction[], word: string): string[] =>
  JSON.parse(/\[.*\]$/.exec(stage.find((one) => one.word === word)?.said ?? "")?.[0] ?? "[]");

/** True if a file of the context gets to the builder: the last rule that names it or a folder above it holds. */
export function isSent(file: string, rules: string): boolean {
  const parts = file.split("/");
  const paths = parts.map((_, at) => parts.slice(0, at + 1).join("/"));
  let sent = true;
  for (const rule of rules.split("\n").filter((line) => line && !line.startsWith("#")))
    if (paths.some((path) => matches(path, rule.replace("!", "")))) sent = rule.startsWith("!");
  return sent;
}

/** A star of a builder stands for hidden files too. */
const matches = (path: string, pattern: string) =>
  new RegExp(`^${pattern.replaceAll(".", "\\.").replaceAll("*", "[^/]*")}$`).test(path);

/**
 * Lays out in a folder what a stage copies from the context and links, with the libraries of this checkout. Tells where the
 * stage works, and the environment that it gives to a command: each path is one in the folder.
 */
export function layOut(stage: readonly Instruction[], context: { root: string; rules: string }, folder: string) {
  const place = (path: string) => path.replaceAll(/(?<=^|[ =])\//g, `${folder}/`);
  const files = execFileSync("git", ["ls-files"], { cwd: context.root, encoding: "utf8" }).trim().split("\n");
  const sent = files.filter((file) => isSent(file, context.rules));
  const programs = join(folder, "usr/local/bin");
  mkdirSync(programs, { recursive: true });
  const env: Record<string, string> = {
    PATH: [programs, dirname(process.execPath), "/usr/bin", "/bin"].join(delimiter),
  };
  let cwd = folder;
  for (const { word, said } of stage) {
    if (word === "WORKDIR") cwd = place(said);
    else if (word === "ENV") for (const [name = "", value = ""] of pairsOf(said)) env[name] = place(value);
    else if (word === "RUN" && said.startsWith("ln ")) execFileSync("sh", ["-c", place(said)], { cwd });
    else if (word === "COPY" && said.includes("--from=libraries")) linkLibraries(context.root, cwd);
    else if (word === "COPY" && !said.startsWith("--from="))
      for (const path of said.split(" ").slice(0, -1))
        for (const file of sent.filter((one) => `${one}/`.startsWith(`${path}/`)))
          cpSync(join(context.root, file), join(cwd, file));
  }
  return { cwd, env };
}

/** Starts a program where a stage is laid out. */
export function startLaid(
  laid: ReturnType<typeof layOut>,
  [program = "", ...words]: readonly string[],
  env: Record<string, string> = {},
) {
  const child = spawn(program, words, { cwd: laid.cwd, env: { ...laid.env, ...env } });
  const ended = Promise.all([text(child.stderr), once(child, "close")]).then(([stderr, end]) => ({ stderr, end }));
  return { child, ended };
}

/** The variables of an ENV, by name. */
export const pairsOf = (said: string): string[][] => said.split(" ").map((pair) => pair.split("="));

/** Links the libraries except Node, which is one of them: the image has its own. */
function linkLibraries(root: string, cwd: string) {
  const libraries = join(cwd, "node_modules");
  mkdirSync(libraries, { recursive: true });
  for (const name of readdirSync(join(root, "node_modules")).filter((one) => !one.startsWith("node-linux-")))
    symlinkSync(join(root, "node_modules", name), join(libraries, name));
}
