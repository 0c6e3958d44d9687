import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import lock from "../../package-lock.json" with { type: "json" };
import { BUNDLED, readProduction } from "../../scripts/docs/production.ts";
import { makeSbom } from "../../scripts/docs/sbom.ts";
import { MAX_LINE_CHARS, MAX_NAME_CHARS, MAX_TEXT_CHARS } from "../../src/api/body/bounds.ts";
import { LIMITS } from "../../src/server/http/limits.ts";
import { readPage } from "../helpers/pages.ts";

const ROOT = join(import.meta.dirname, "..", "..");

/** What asks of us nothing but to keep the notice. */
const ALLOWED = ["MIT", "ISC", "BSD-3-Clause", "BlueOak-1.0.0", "Apache-2.0"];

const libraries = readProduction();
const readJson = (file: string) => JSON.parse(readFileSync(join(ROOT, file), "utf8"));

describe("the libraries of production", () => {
  test("are those that package.json names, and those that they need", () => {
    const names = libraries.map(({ name }) => name);
    const { dependencies, optionalDependencies } = manifest;
    for (const name of [
      ...Object.keys({ ...dependencies, ...optionalDependencies }),
      ...BUNDLED,
      "esbuild",
      "d3-color",
    ])
      expect(names).toContain(name);
    for (const name of Object.keys(manifest.devDependencies))
      if (name !== "esbuild" && !BUNDLED.includes(name)) expect(names).not.toContain(name);
  });

  test.for(libraries)(
    "$name has a licence that is allowed, and that of its own package",
    ({ name, version, license }) => {
      expect(ALLOWED).toContain(license);
      const file = `node_modules/${name}/package.json`;
      // Most platforms are not this one.
      if (existsSync(join(ROOT, file))) expect(readJson(file)).toMatchObject({ version, license });
    },
  );

  test("and nothing else is in the scripts of the pages", () => {
    const inputs = Object.keys(readJson(".assets/meta.json").inputs);
    const names = inputs.map((input) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1]);
    expect(new Set(names.filter((name) => name !== undefined))).toEqual(new Set(BUNDLED));
  });

  test("are named with the licences that are allowed", () => {
    const [, said = ""] = /allows (.*)\. SQLite/.exec(readPage(".github/LICENCES.md")) ?? [];
    expect(said.split(/, | and /)).toEqual(ALLOWED);
  });
});

describe("the list of what runs with it, as CycloneDX", () => {
  const text = makeSbom();
  const bom = JSON.parse(text);

  test("is the same bytes again", () => {
    expect(makeSbom()).toBe(text);
    expect(bom.metadata.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/);
    expect(bom.serialNumber).toMatch(/^urn:uuid:[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/);
  });

  test("has another number when it says something else", () => {
    process.env.SOURCE_DATE_EPOCH = "1";
    const other = JSON.parse(makeSbom());
    delete process.env.SOURCE_DATE_EPOCH;
    expect(other.metadata.timestamp).toBe("1970-01-01T00:00:01.000Z");
    expect(other.serialNumber).not.toBe(bom.serialNumber);
  });

  test("has all libraries of production and no others, each with licence and hash", () => {
    expect(bom.metadata.component).toMatchObject({ name: "metasnap", version: manifest.version });
    const refs = (bom.components as { "bom-ref": string }[]).map((component) => component["bom-ref"]);
    expect(refs.sort()).toEqual(libraries.map(({ name, version }) => `${name}@${version}`).sort());
    for (const component of bom.components)
      expect(component).toMatchObject({
        licenses: [{ license: { id: expect.any(String) } }],
        hashes: [{ alg: "SHA-512" }],
      });
    const known = new Set([...refs, bom.metadata.component["bom-ref"]]);
    for (const { ref, dependsOn } of bom.dependencies)
      for (const one of [ref, ...dependsOn]) expect(known).toContain(one);
  });
});

describe("what is promised where somebody is hostile", () => {
  const rows = [...readPage(".github/SECURITY.md").matchAll(/^\| (.+?) \| (.+?) \| (.+?) \| (.+?) \|$/gm)].slice(2);
  const hostile = [...new Set(rows.map(([, who]) => who))];
  const held = [...new Set(rows.map(([, , what]) => what))];

  test("is said of each pair once, with what shows it", () => {
    expect([hostile.length, held.length, rows.length]).toEqual([6, 6, 36]);
    expect(new Set(rows.map(([, who, what]) => `${who} ${what}`)).size).toBe(36);
    for (const [row, , , promise, shown] of rows)
      expect([row, shown === "–"]).toEqual([row, promise?.startsWith("cannot meet: ")]);
  });

  const shown = rows.flatMap(([, , , , by = ""]) => [...by.matchAll(/`(\S+)` "(.+?)"(?=, `|$)/g)]);
  test.for([...new Map(shown.map(([, file, words]) => [`${file}: ${words}`, [file, words] as const]))])(
    "is shown by %s",
    ([, [file = "", words]]) => {
      // What a callback follows.
      const names = [...readPage(file).matchAll(/["`](.+)["`],\s+(?:\{.*\},\s+)?(?:async )?\(/g)].map(
        ([, name]) => name,
      );
      expect(names.some((name) => name?.includes(words ?? ""))).toBe(true);
    },
  );
});

test("the limits that are promised are those of the code", () => {
  const page = readPage(".github/SECURITY.md").replaceAll(/(?<=\d),(?=\d{3})/g, "");
  const { connections, openRequests, openHeadBytes, headBytes, headers } = LIMITS;
  expect(page).toContain(`${connections} at the same time, and ${openRequests} open requests on each`);
  expect(page).toContain(`have ${openHeadBytes / 2 ** 20} MiB together`);
  expect(page).toContain(`at most ${headBytes / 1024} KiB and ${headers} headers`);
  expect(page).toContain(
    `at most ${MAX_NAME_CHARS} characters, a title or an address ${MAX_LINE_CHARS}, any other text ${MAX_TEXT_CHARS}`,
  );
});

test("the version is that of the lock file and of the pages, and the changelog begins with it", () => {
  const pages = ["scripts/README.md", "scripts/deploy/README.md"].map(readPage).join("");
  const named = [...pages.matchAll(/metasnap-(\S+?)\.tgz/g)].map(([, version]) => version);
  expect(new Set(named)).toEqual(new Set([manifest.version]));
  expect([lock.version, lock.packages[""].version]).toEqual([manifest.version, manifest.version]);
  expect(/^## (\S+)/m.exec(readPage("CHANGELOG.md"))?.[1]).toBe(manifest.version);
});
