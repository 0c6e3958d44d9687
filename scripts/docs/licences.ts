import { fillPlaces, headed } from "./page.ts";
import { BUNDLED, type Library, readProduction } from "./production.ts";

/** The parts of .github/LICENCES.md that come from the lock file. */
export function renderLicences(text: string): string {
  const libraries = Map.groupBy(readProduction(), familyOf);
  const rows = [...libraries].map(([family, [first, ...others]]) => {
    if (first === undefined) throw new Error(`${family} has no library`);
    const many = others.length > 0 ? `, ${others.length + 1} platforms` : "";
    const licenses = new Set([first, ...others].map(({ license }) => license));
    return [
      `${family}${many}`,
      first.version,
      [...licenses].join(", "),
      BUNDLED.includes(first.name) ? "pages" : "npm",
    ];
  });
  return fillPlaces(text, { libraries: headed(["library", "version", "licence", "comes with"], rows) });
}

/** Those that are one program for many platforms are one line. */
const familyOf = ({ name, os }: Library): string => (os && name.includes("/") ? name.replace(/\/.*/, "/*") : name);
