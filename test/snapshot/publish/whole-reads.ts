import fs, { appendFileSync } from "node:fs";
import promises from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { basename } from "node:path";
import SQLite from "better-sqlite3";

/**
 * Loaded before a command, and by Node before each process that it starts: writes to the file `WHOLE_READS` a line for each
 * file that is read from its first to its last byte, by a check of SQLite, as a stream or piece by piece.
 */
const note = (how: string, file: unknown) =>
  appendFileSync(process.env.WHOLE_READS ?? "", `${how} ${basename(String(file))}\n`);

const { pragma } = SQLite.prototype;
SQLite.prototype.pragma = function (this: SQLite.Database, source: string, options?: SQLite.PragmaOptions) {
  const [check] = /^(quick|integrity)_check/.exec(source) ?? [];
  if (check) note(check, this.name);
  return pragma.call(this, source, options);
};

const { createReadStream } = fs;
fs.createReadStream = (...args) => {
  note("read", args[0]);
  return createReadStream(...args);
};

const { open } = promises;
promises.open = (...args) => {
  note("read", args[0]);
  return open(...args);
};
syncBuiltinESMExports();
