import manifest from "../../package.json" with { type: "json" };

/** What `npm run` gives to node for a command; paths are those from the project's folder. */
export function commandLine(command: string): string[] {
  const [, ...words] = (manifest.scripts as Record<string, string>)[command]?.split(" ") ?? [];
  return words;
}
