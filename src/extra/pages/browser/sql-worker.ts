/** Runs the queries of the SQL console: reading a file by ranges blocks, which a page must not. */
import { loadSqlite, type OpenFile, openDatabase } from "./sql/database.ts";
import { Dropped } from "./sql/fault.ts";
import type { Answer, Question } from "./sql/messages.ts";
import { openRangeFile, type RangeFile } from "./sql/range-file.ts";
import { run } from "./sql/run.ts";

let opened: Promise<[OpenFile, RangeFile]> | undefined;

/** Opens the file, and then SQLite, which is not loaded if the file cannot be read. */
async function open({ file: address }: Question): Promise<[OpenFile, RangeFile]> {
  const file = await openRangeFile(address);
  const sqlite = await loadSqlite();
  try {
    return [openDatabase(sqlite, file), file];
  } catch (error) {
    throw file.fault ?? error;
  }
}

async function answer(question: Question): Promise<Answer> {
  const began = Date.now();
  opened ??= open(question);
  const cost = (file?: RangeFile) => ({
    requests: file?.requests ?? 0,
    bytes: file?.bytes ?? 0,
    milliseconds: Date.now() - began,
  });
  try {
    const [database, file] = await opened;
    const deadline = Date.now() + 1000 * question.seconds;
    file.begin(deadline);
    database.allowUntil(deadline);
    const outcome = run(database, file, question);
    return { ...outcome, cost: cost(file) };
  } catch (error) {
    if (!(error instanceof Dropped)) opened = undefined;
    return { kind: "fault", text: (error as Error).message, cost: cost() };
  }
}

addEventListener("message", async ({ data }: MessageEvent<Question>) => postMessage(await answer(data)));
