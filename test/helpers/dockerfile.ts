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

/** What the exec form of an instruction starts: words, and no shell. */
export const wordsOf = (stage: readonly Instruction[], word: string): string[] =>
  JSON.parse(/\[.*\]$/.exec(stage.find((one) => one.word === word)?.said ?? "")?.[0] ?? "[]");

/** Whether a file of the context gets to the builder: the last rule that names it or a folder above it holds. */
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
