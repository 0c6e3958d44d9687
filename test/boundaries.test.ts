import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, test } from "vitest";

const ROOT = resolve(import.meta.dirname, "..");
const SRC = join(ROOT, "src");

/** Which folder of `src` may import which others. */
const ALLOWED: Record<string, string[]> = {
  api: [],
  journal: ["api"],
  crawl: ["api", "journal"],
  snapshot: ["api", "journal"],
  nights: ["api", "snapshot"],
  server: ["api", "snapshot", "nights"],
  parity: ["api", "snapshot", "server"],
  sample: ["api"],
};

/** The embedded upstream shares enumerations with us and nothing else, so that it can disagree. */
const SAMPLE_MAY_IMPORT = ["languages.ts", "ranks.ts", "windows.ts", "positions.ts"];

/** Of the nights the server needs only to follow another mirror. */
const SERVER_MAY_IMPORT = ["pull"];

const modules = readdirSync(SRC, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));

function importsOf(module: string): string[] {
  const text = readFileSync(join(SRC, module), "utf8");
  return [...text.matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)].map(([, path = ""]) =>
    relative(SRC, resolve(SRC, dirname(module), path)),
  );
}

describe("module boundaries", () => {
  test("there are modules to look at", () => {
    expect(modules.length).toBeGreaterThan(30);
    expect(modules.flatMap(importsOf).length).toBeGreaterThan(60);
  });

  test.for(modules)("%s imports only what its folder may", (module) => {
    const [folder = ""] = module.split("/");
    for (const imported of importsOf(module)) {
      if (imported.startsWith("..")) {
        expect(imported).toBe("../package.json");
        continue;
      }
      const [target = "", name = ""] = imported.split("/");
      if (target === folder) continue;
      expect(ALLOWED[folder], `${module} imports ${imported}`).toContain(target);
      if (folder === "server" && target === "nights") expect(SERVER_MAY_IMPORT).toContain(name);
      if (folder === "sample") expect(SAMPLE_MAY_IMPORT).toContain(name);
    }
  });

  test.for(modules)("%s is not longer than 250 lines", (module) => {
    expect(readFileSync(join(SRC, module), "utf8").split("\n").length).toBeLessThanOrEqual(251);
  });
});
