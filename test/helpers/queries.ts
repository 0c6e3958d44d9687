import fc from "fast-check";
import type { Endpoint } from "../../src/api/endpoint.ts";
import { ENDPOINTS } from "../../src/api/endpoints.ts";
import { LANG_CODES } from "../../src/api/enumerations.ts";
import type { Parameter } from "../../src/api/request/parameters.ts";

export type Names = Pick<ReadonlyMap<string, ReadonlyMap<number, { name: string }>>, "get">;

/** A random valid query of any endpoint, in any of the spellings that the service accepts; `subjects` are those of votes. */
export function validQuery(names: Names, subjects: readonly string[]): fc.Arbitrary<string> {
  const lang = fc.option(fc.constantFrom(...LANG_CODES), { nil: undefined });
  return fc
    .tuple(fc.constantFrom(...ENDPOINTS), lang)
    .chain(([endpoint, code]) => fc.tuple(pathOf(endpoint, names, subjects, code ?? "en"), queryOf(endpoint, code)))
    .map(([path, query]) => (query === "" ? path : `${path}?${query}`));
}

function pathOf({ path }: Endpoint, names: Names, subjects: readonly string[], lang: string): fc.Arbitrary<string> {
  if (path.includes("{subject}")) return fc.constantFrom(...subjects).map((one) => path.replace("{subject}", one));
  if (path.includes("{rank_id}")) return rankId().map((id) => path.replace("{rank_id}", encodeURIComponent(id)));
  if (!path.includes("{hero_identifier}")) return fc.constant(path);
  const english = [...(names.get("en") ?? [])];
  const local = names.get(lang) ?? new Map();
  return fc
    .constantFrom(...english)
    .chain(([id, { name }]) =>
      fc.constantFrom(
        ...[String(id), `+${id}`, `00${id}`, ` ${id}\t`, name],
        name.toLowerCase().replaceAll(/[^a-z0-9]/g, ""),
        ...[name.toUpperCase(), `  ${name}!`, local.get(id)?.name ?? name],
      ),
    )
    .map((identifier) => path.replace("{hero_identifier}", encodeURIComponent(identifier)));
}

/** Any of those that belong to a rank, and some that belong to none. */
function rankId(): fc.Arbitrary<string> {
  return fc
    .oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 9999 }))
    .chain((id) => fc.constantFrom(String(id), `+${id}`, `00${id}`, ` ${id} `));
}

function queryOf(endpoint: Endpoint, lang: string | undefined): fc.Arbitrary<string> {
  const others = endpoint.parameters.filter(({ name }) => name !== "lang");
  const noise = fc.constantFrom("", "", "foo=1", "Size=0", "size=zz&size=5");
  return fc.tuple(...others.map(spell), noise).map((parts) => {
    const pairs = parts.filter((part) => part !== "");
    return [...pairs, ...(lang === undefined ? [] : [`lang=${lang}`])].join("&");
  });
}

function spell(parameter: Parameter): fc.Arbitrary<string> {
  const one = (value: string) => `${parameter.name}=${encodeURIComponent(value)}`;
  if ("examples" in parameter) return fc.constantFrom(...(parameter.examples ?? [])).map(one);
  if (parameter.kind === "integer") {
    const values = [
      ...["1", "2", "3", "7", "20", "50", "133", "134", "1000"],
      ...["+4", " 6 ", "007", "1_0", "3.0", "9".repeat(30)],
    ];
    return fc.option(fc.constantFrom(...values).map(one), { nil: "", freq: 2 });
  }
  if (parameter.kind === "choice" && parameter.default === undefined)
    return fc.constantFrom(...parameter.values).map(one);
  if (parameter.kind === "choice")
    return fc.option(fc.constantFrom(...parameter.values).map(one), { nil: "", freq: 3 });
  const words = fc
    .constantFrom(...parameter.values)
    .chain((word) => fc.constantFrom(word, word.toUpperCase(), ` ${word} `));
  return fc
    .array(fc.oneof({ weight: 6, arbitrary: words }, { weight: 1, arbitrary: fc.constant("") }), { maxLength: 3 })
    .map((chosen) => chosen.map(one).join("&"));
}
