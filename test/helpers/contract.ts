import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

interface OpenApiDocument {
  paths: Record<string, Record<string, unknown>>;
  components: { schemas: Record<string, object> };
}

interface Media {
  content?: Record<string, { schema: object }>;
}

const DOCUMENT = "https://mirror.example/api/openapi.json";

/** Holds answers against an OpenAPI document. `closed`: these schemas of it allow no field that they do not name. */
export function createContract(document: OpenApiDocument, closed: readonly string[] = []) {
  const copy = structuredClone(document);
  for (const name of closed) closeObjects(copy.components.schemas[name]);
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(copy, DOCUMENT);
  const validators = new Map<string, ValidateFunction>();
  const checked = new Map<string, number>();

  return {
    /** Answers that were checked, by route and status. */
    checked,
    /** What is wrong with an answer, in lines; a route, status or media type that the document does not name is wrong too. */
    findFaults(method: string, route: string, status: number, contentType: string, body: string): string[] {
      const operation = copy.paths[route]?.[method.toLowerCase()] as { responses: Record<string, Media> } | undefined;
      const response = operation?.responses[status] && resolve(copy, operation.responses[status]);
      const [mediaType = ""] = contentType.split(";");
      const media = response?.content?.[mediaType];
      if (!media) return [`${method} ${route}: ${status} ${contentType} is not declared`];
      const id = `${method} ${route} ${status}`;
      checked.set(id, (checked.get(id) ?? 0) + 1);
      if (mediaType !== "application/json") return [];
      const validate = validators.get(`${id} ${mediaType}`) ?? ajv.compile(rebase(media.schema));
      validators.set(`${id} ${mediaType}`, validate);
      if (validate(JSON.parse(body))) return [];
      return (validate.errors ?? []).map(
        ({ instancePath, message, params }) => `${id}: ${instancePath} ${message} ${JSON.stringify(params)}`,
      );
    },
  };
}

function resolve(document: object, response: Media & { $ref?: string }): Media {
  const steps = response.$ref?.slice(2).split("/") ?? [];
  return steps.reduce<unknown>(
    (node, step) => (node as Record<string, unknown>)[step],
    steps[0] ? document : response,
  ) as Media;
}

/** A schema of the document, to stand outside of it. */
const rebase = (schema: object): object =>
  JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', `"$ref":"${DOCUMENT}#/`)) as object;

function closeObjects(node: unknown) {
  if (node === null || typeof node !== "object") return;
  for (const part of Object.values(node)) closeObjects(part);
  if ("properties" in node && "type" in node && node.type === "object")
    Object.assign(node, { additionalProperties: false });
}
