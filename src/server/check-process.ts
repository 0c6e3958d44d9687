import { Failure } from "../api/failure.ts";
import { checkPublished } from "../snapshot/check.ts";
import type { Task } from "./check.ts";

// A process of its own: reading a whole file would hold up every request, and a thread would leave its memory behind.
const { file, promised } = JSON.parse(process.argv[2] ?? "{}") as Task;
const problem = await checkPublished(file, promised).then(
  () => null,
  (error: Error) => (error instanceof Failure ? error.message : `${file}: cannot be checked (${error.message})`),
);
process.send?.({ problem });
process.disconnect();
