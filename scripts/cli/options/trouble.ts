import { InvalidArgumentError, type Option } from "commander";
import type { Form } from "../../../src/extra/sample/troubles/forms.ts";
import { checkTrouble, isLimit, type Trouble } from "../../../src/extra/sample/troubles/troubles.ts";
import { option } from "../command.ts";
import { findEndpoints } from "./endpoints.ts";

/** Troubles of the sample: `ratings,rating: code` or `rank=glory share=0.1: status 503`. Repeatable; `;` parts several. */
export function troubles(description: string): Option {
  const given: Trouble[] = [];
  return option("--trouble <text>", description).argParser((text) => {
    given.push(...text.split(";").map(parseTrouble));
    return given;
  });
}

function parseTrouble(text: string): Trouble {
  const [, where = "", form = ""] = /^\s*(\S.*?):\s+(\S.*?)\s*$/.exec(text) ?? [];
  if (where === "") throw new InvalidArgumentError("It must be in the form WHERE: FORM.");
  const of: Record<string, string[]> = {};
  const limits: Record<string, number> = {};
  for (const word of where.split(/\s+/).filter((one) => one !== "all")) {
    const [name = "", value] = word.split("=");
    if (value === undefined) of.endpoint = [...(of.endpoint ?? []), ...word.split(",").map(pathOf)];
    else if (isLimit(name)) limits[name] = value === "" ? Number.NaN : Number(value);
    else of[name] = [...(of[name] ?? []), ...value.split(",")];
  }
  try {
    return checkTrouble({ ...limits, of, form: form as Form });
  } catch (error) {
    if (error instanceof RangeError) throw new InvalidArgumentError(`${error.message}.`);
    throw error;
  }
}

function pathOf(name: string): string {
  const [endpoint] = findEndpoints([name]);
  if (!endpoint) throw new InvalidArgumentError(`${name} is no endpoint.`);
  return endpoint.path;
}
