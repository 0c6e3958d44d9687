import { Failure, isDiskFull } from "../../api/failure.ts";
import { TAKE_ANOTHER } from "../read/open.ts";
import { verifyFile } from "./verify.ts";
import type { VerifyTask, WorkerReply } from "./verify-process.ts";

// A process of its own: whatever a crafted file does to its reader, it does here.
const { file, by, expected } = JSON.parse(process.argv[2] ?? "{}") as VerifyTask;
const reply: WorkerReply = await verifyFile(file, by, expected).then(
  (verification) => ({ verification }),
  (error: Failure | NodeJS.ErrnoException) => {
    if (error instanceof Failure) return { problem: error.message, hint: error.hint };
    const { message, code, syscall, path } = error;
    const problem = syscall || isDiskFull(error) ? message : `${file}: cannot be read (${message})`;
    return { problem, hint: TAKE_ANOTHER, code, syscall, path };
  },
);
process.send?.(reply);
process.disconnect();
