import { zstdCompressSync } from "node:zlib";
import { fileWriter, ParquetWriter } from "hyparquet-writer";
import type { ExportColumn, ExportTable } from "./tables.ts";

const TYPES = {
  TEXT: { type: "BYTE_ARRAY", converted_type: "UTF8" },
  INTEGER: { type: "INT64" },
  REAL: { type: "DOUBLE" },
} as const;

/** One Parquet file: a row group per batch, compressed with zstd, with `metadata` as key-value pairs. */
export function writeParquetFile(
  file: string,
  table: ExportTable,
  { metadata }: { metadata: Readonly<Record<string, string>> },
): void {
  const writer = new ParquetWriter({
    writer: fileWriter(file),
    schema: [{ name: "root", num_children: table.columns.length }, ...table.columns.map(toElement)],
    codec: "ZSTD",
    compressors: { ZSTD: (bytes) => zstdCompressSync(bytes) },
    kvMetadata: Object.entries(metadata).map(([key, value]) => ({ key, value })),
    createdBy: "metasnap",
  });
  for (const rows of table.batches()) {
    const columnData = table.columns.map(({ name }, index) => ({ name, data: rows.map((row) => row[index]) }));
    void writer.write({ columnData, rowGroupSize: rows.length });
  }
  void writer.finish();
}

const toElement = ({ name, type, nullable }: ExportColumn) => ({
  name,
  ...TYPES[type],
  repetition_type: nullable ? ("OPTIONAL" as const) : ("REQUIRED" as const),
});
