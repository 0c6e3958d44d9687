import { Failure } from "../../api/failure.ts";
import { proveFile } from "./verify.ts";
import type { Task, Told } from "./verify-process.ts";

// A process of its own: whatever a file does to whoever reads it, it does here.
const { file, promised } = JSON.parse(process.argv[2] ?? "{}") as Task;
const told: Told = await proveFile(file, promised).then(
  (proof) => ({ proof }),
  (error: Error) => ({
    problem: error instanceof Failure ? error.message : `${file}: cannot be read (${error.message})`,
  }),
);
process.send?.(told);
process.disconnect();
