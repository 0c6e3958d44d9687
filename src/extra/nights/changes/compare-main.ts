import { writeFileSync } from "node:fs";
import { toSanitizedJson } from "../../../api/sanitize.ts";
import type { ChangesDocument } from "../../../snapshot/documents/changes-document.ts";
import type { CompareTask } from "../../../snapshot/published/changes.ts";
import { diffSnapshots } from "../diff/diff.ts";
import type { CompareReply } from "./compare.ts";

// A process of its own. Without a history: from two files every mirror makes the same bytes.
const { before, after, target, verified } = JSON.parse(process.argv[2] ?? "{}") as CompareTask;
const reply: CompareReply = {};
try {
  const changes: ChangesDocument = diffSnapshots(before, after, { verified });
  writeFileSync(target, `${toSanitizedJson(changes)}\n`, { flag: "wx" });
} catch (error) {
  reply.problem = (error as Error).message;
}
process.send?.(reply);
process.disconnect();
