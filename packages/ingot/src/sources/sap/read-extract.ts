import { open } from "node:fs/promises";
import { IngotError } from "../../model/error.js";
import type { Position } from "../../model/position.js";
import type { ExtractRow } from "../../sap/dictionary/extracts.js";
import { CsvRecordSplitter } from "../files/csv-records.js";
import { readText } from "../files/read-text.js";

/** A small table of SAP that describes others, whole. */
export interface Extract {
  /** Names in capitals. */
  readonly columns: readonly string[];
  readonly rows: readonly ExtractRow[];
}

const SEPARATORS = [",", ";", "\t", "|"];

/**
 * A file with a header and one record a row, or a JSON array of objects. The separator is the one that gives the header
 * most names.
 *
 * @param at where the file is named, for errors
 * @throws IngotError SAP_EXTRACT_INVALID; FILE_BAD_ENCODING
 */
export async function readExtract(path: string, encoding: string, at?: Position): Promise<Extract> {
  const text = await readWhole(path, encoding, at);
  return /^\s*\[/.test(text) ? readJson(path, text, at) : readCsv(path, text, at);
}

export function invalidExtract(path: string, what: string, at?: Position, cause?: unknown): IngotError {
  return new IngotError("SAP_EXTRACT_INVALID", `The extract ${path} ${what}`, {
    object: path,
    hint: "Extracts are CSV files with a header or JSON arrays of objects; a .txt file is in the notation of docs/sap.md.",
    ...(at === undefined ? {} : { at }),
    ...(cause === undefined ? {} : { cause }),
  });
}

/** @throws IngotError SAP_EXTRACT_INVALID; FILE_BAD_ENCODING */
export async function readWhole(path: string, encoding: string, at?: Position): Promise<string> {
  const file = await open(path).catch((error: unknown) => {
    throw invalidExtract(path, "cannot be read", at, error);
  });
  try {
    let text = "";
    for await (const chunk of readText(path, file, { encoding })) text += chunk.toString("utf8");
    return text;
  } finally {
    await file.close();
  }
}

function readJson(path: string, text: string, at?: Position): Extract {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw invalidExtract(path, "is no JSON", at, error);
  }
  const isRow = (row: unknown) => typeof row === "object" && row !== null && !Array.isArray(row);
  if (!Array.isArray(value) || !value.every(isRow)) throw invalidExtract(path, "is no array of objects", at);
  const rows = value.map(
    (row: object): ExtractRow =>
      Object.fromEntries(Object.entries(row).map(([name, v]) => [name.toUpperCase(), v === null ? "" : String(v)])),
  );
  return { columns: [...new Set(rows.flatMap(Object.keys))], rows };
}

function readCsv(path: string, text: string, at?: Position): Extract {
  const tables = SEPARATORS.map((sep) => {
    const splitter = new CsvRecordSplitter({ sep, quote: '"', escape: '"' });
    return [...splitter.add(text), ...splitter.finish()].map((record) =>
      record.fields.map((field) => (field ?? "").trim()),
    );
  });
  const [header = [], ...records] = tables.reduce((best, table) =>
    (table[0]?.length ?? 0) > (best[0]?.length ?? 0) ? table : best,
  );
  const columns = header.map((name) => name.toUpperCase());
  const other = records.findIndex((fields) => fields.length !== columns.length);
  if (other !== -1)
    throw invalidExtract(
      path,
      `has ${records[other]?.length} fields in record ${other + 2}, the header ${columns.length}`,
      at,
    );
  return {
    columns,
    rows: records.map((fields) => Object.fromEntries(columns.map((name, i) => [name, fields[i] ?? ""]))),
  };
}
