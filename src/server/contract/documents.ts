import * as z from "zod";
import { changesDocument } from "../../snapshot/documents/changes-document.ts";
import { agesSchema, manifestDocument } from "../../snapshot/documents/manifest-document.ts";
import { rowSchemaOf } from "../../snapshot/documents/row-schema.ts";
import { pointerSchema } from "../../snapshot/published/pointer.ts";
import { closedPartTable } from "../../snapshot/schema/tables/closed-part.ts";

// The answers of the routes besides the endpoints. The OpenAPI document has these schemas, and the code that writes the answers has their
// types. They take longer to load than a server may take to start: only their types are imported at once.

const count = z.int().min(0);
const text = z.string();
const time = z.string().meta({ description: "ISO 8601 in UTC." });
const age = count.meta({ description: "Seconds since the crawl began." });

const answer = <T extends z.ZodType>(data: T) => z.object({ code: z.literal(0), message: z.literal("OK"), data });

const closedPart = rowSchemaOf(closedPartTable).extend({
  line: text.meta({ description: "The same in words." }),
});

const index = z.object({
  snapshot: z.object({
    version: text,
    started_at: time,
    game_version: text.nullable(),
    heroes: count,
    sample: z.boolean().meta({ description: "True if the numbers are made up." }),
    rolling: z.boolean().meta({ description: "True if some answers are of earlier nights." }),
    closed: z.array(closedPart),
  }),
  pinned: text.meta({ description: "Base path of the same endpoints, answered from one snapshot for ever." }),
  endpoints: z.array(
    z.object({
      method: z.enum(["GET", "POST"]),
      path: text,
      summary: text,
      state: text.optional().meta({
        description: "`closed` if the endpoint could not be had, `left-out` if the crawl did not ask for it.",
      }),
      since: time.optional(),
      parameters: z.array(
        z.object({
          name: text,
          required: z.literal(true).optional(),
          default: z.union([z.string(), z.number()]).optional(),
          allowed: text,
        }),
      ),
    }),
  ),
  licence: text,
  attribution: text,
});

const openApi = z.looseObject({
  openapi: text,
  info: z.looseObject({ title: text, version: text }),
  paths: z.looseObject({}),
  components: z.looseObject({}),
});

const listed = z.object({
  ...pointerSchema.shape,
  latest: z.boolean(),
  withdrawn: z.boolean().meta({ description: "True if the mirror went back to a snapshot before this one." }),
  urls: z.object({
    file: text,
    manifest: text,
    signature: text.optional(),
    api: text,
    compressed: text.optional(),
    analysts: text.optional(),
    history: text.optional(),
    changes: text.optional(),
  }),
});

const moment = time.nullable();

const source = z
  .object({
    version: text.nullable(),
    sequence: z.int().nullable(),
    expires_at: moment,
    older_than: text.nullable(),
    moved_at: moment,
    looked_at: moment,
    changed_at: moment,
    error: z.object({ message: text, at: moment }).nullable(),
    frozen: z.boolean(),
  })
  .meta({ description: "Only with `--follow`: the state of the source." });

const health = z.object({
  status: z.enum(["serving", "withheld", "ending"]),
  snapshot: z.object({
    version: text,
    schema_version: text,
    started_at: time,
    sample: z.boolean(),
    rolling: z.boolean(),
    age,
    ages: z.array(agesSchema),
    closed: z.array(closedPart),
    verified: z.boolean(),
    served_for: count.meta({ description: "Seconds." }),
  }),
  problem: text.nullable().meta({ description: "Reason for refusing a newer snapshot." }),
  source: source.optional(),
  uptime: count.meta({ description: "Seconds." }),
});

/** The schemas by their names in the OpenAPI document. */
export const DOCUMENT_SCHEMAS = {
  Index: answer(index),
  OpenApi: openApi,
  Snapshots: answer(z.object({ records: z.array(listed), total: count })),
  Pointer: pointerSchema,
  Manifest: manifestDocument,
  Changes: changesDocument,
  Health: answer(health),
  Ready: answer(z.object({ ready: z.literal(true), age })),
  Login: z.looseObject({ code: z.unknown().optional(), message: z.unknown().optional(), data: z.unknown().optional() }),
} satisfies Record<string, z.ZodType>;

export type DocumentName = keyof typeof DOCUMENT_SCHEMAS;

/** One of them, as it is written. */
export type DocumentOf<Name extends DocumentName> = z.input<(typeof DOCUMENT_SCHEMAS)[Name]>;
