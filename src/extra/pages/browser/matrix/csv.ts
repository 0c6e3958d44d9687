/** The records of a CSV text (RFC 4180). */
export function parseCsv(text: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  for (const [, quoted, plain = "", end] of text.matchAll(/(?:"([^"]*(?:""[^"]*)*)"|([^",\n]*))(,|\n|$)/g)) {
    record.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === ",") continue;
    if (record.length > 1) records.push(record);
    record = [];
  }
  return records;
}

export interface MatrixHero {
  id: number;
  name: string;
  role: string;
}

/** The values of the matrix, row by row, in the order of the page. */
export interface Matrix {
  heroes: readonly MatrixHero[];
  values: readonly (readonly (number | undefined)[])[];
}

const MOST_NAME_CHARS = 40;

/** Reads the CSV of the matrix: each hero's number, name and role, and its value with each of the same heroes. */
export function readMatrix(text: string): Matrix {
  const [, ...records] = parseCsv(text);
  return {
    heroes: records.map(([id, name = "", role = ""]) => ({
      id: Number(id),
      name: name.slice(0, MOST_NAME_CHARS),
      role,
    })),
    values: records.map(([, , , ...cells]) => cells.map((cell) => (cell === "" ? undefined : Number(cell)))),
  };
}
