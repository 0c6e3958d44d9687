import { isRequired, type Parameter } from "../../api/request/parameters.ts";
import type { PathParameter } from "../../api/request/path-parameter.ts";

/** Describes the parameter of a path for the OpenAPI document. */
export function describeIdentifier(identifier: PathParameter) {
  const { name, description } = identifier;
  return { name, in: "path", required: true, description, schema: schemaOf(identifier) };
}

function schemaOf(identifier: PathParameter): object {
  if (identifier.kind === "hero") return { type: ["integer", "string"] };
  if (identifier.kind === "word") return { type: "string", minLength: 1 };
  return { type: "integer", minimum: identifier.minimum, maximum: identifier.maximum };
}

/** Describes a parameter of the query for the OpenAPI document. */
export function describeParameter(parameter: Parameter) {
  const { name, description } = parameter;
  const required = isRequired(parameter);
  const examples = "examples" in parameter ? parameter.examples.map((value) => [value, { value: Number(value) }]) : [];
  return {
    name,
    in: "query",
    required,
    description,
    schema: querySchema(parameter),
    ...(examples.length > 0 && { examples: Object.fromEntries(examples) }),
  };
}

function querySchema(parameter: Parameter): object {
  if (parameter.kind === "decimal") {
    const { minimum, exclusive, maximum } = parameter;
    return { type: "number", ...(exclusive ? { exclusiveMinimum: minimum } : { minimum }), maximum };
  }
  const fallback = "default" in parameter ? { default: parameter.default } : {};
  if (parameter.kind === "integer") {
    const { minimum, maximum } = parameter;
    return { type: "integer", minimum, ...(maximum !== undefined && { maximum }), ...fallback };
  }
  const words = { type: "string", enum: parameter.values };
  return parameter.kind === "choice"
    ? { ...words, ...fallback }
    : { type: "array", items: words, default: parameter.values };
}
