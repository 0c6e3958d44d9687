import { Failure } from "../../api/failure.ts";
import { TAKE_ANOTHER } from "../read/open.ts";
import { verifyFile } from "./verify.ts";
import type { VerifyTask, WorkerReply } from "./verify-process.ts";

// A process of its own: whatever a crafted file does to its reader, it does here.
const { file, by, expected } = JSON.parse(process.argv[2] ?? "{}") as VerifyTask;
const reply: WorkerReply = await verifyFile(file, by, expected).then(
  (verification) => ({ verification }),
  (error: Error & { code?: string }) => ({
    problem: error instanceof Failure ? error.message : `${file}: cannot be read (${error.message})`,
    hint: error instanceof Failure ? error.hint : TAKE_ANOTHER,
    code: error.code,
  }),
);
process.send?.(reply);
process.disconnect();
