import type { DataType } from "../../model/data-type.js";
import { IngotError } from "../../model/error.js";
import type { JsonRead } from "../../model/file-read.js";
import type { Contents } from "./inspect-csv.js";
import { type JsonField, type JsonRecord, readJsonRecords } from "./json-records.js";
import { joinJsonTypes, jsonType } from "./json-types.js";
import { TextLines } from "./text-lines.js";

/** A document is read as one text. */
const MAX_DOCUMENT = 1 << 28;

const STRING: DataType = { kind: "string" };

/** @throws NOT_SUPPORTED for a document that is too large to be read at once */
export async function inspectJson(path: string, read: JsonRead, text: AsyncIterable<Buffer>): Promise<Contents> {
  const isDeclared = read.schema !== undefined;
  let records = 0;
  const types = new Map<string, DataType>();
  const note = (field: JsonField) => {
    const before = types.get(field.name);
    if (!read.inferColumnTypes) types.set(field.name, before ?? STRING);
    else types.set(field.name, before === undefined ? jsonType(field) : joinJsonTypes(before, jsonType(field)));
  };
  const take = (found: readonly JsonRecord[]) => {
    records += found.length;
    for (const { fields } of found) fields.forEach(note);
  };
  if (read.multiLine) take(readJsonRecords(await readDocument(path, text), isDeclared));
  else {
    const lines = new TextLines();
    for await (const chunk of text) for (const line of lines.add(chunk)) take(readJsonRecords(line.text, isDeclared));
    for (const line of lines.finish()) take(readJsonRecords(line.text, isDeclared));
  }
  if (isDeclared) return { records };
  return { records, fields: [...types].map(([name, type]) => ({ name, type, nullable: true })) };
}

async function readDocument(path: string, text: AsyncIterable<Buffer>): Promise<string> {
  const pieces: string[] = [];
  let length = 0;
  for await (const chunk of text) {
    length += chunk.length;
    if (length > MAX_DOCUMENT) throw tooLarge(path);
    pieces.push(chunk.toString());
  }
  return pieces.join("");
}

function tooLarge(path: string): IngotError {
  return new IngotError("NOT_SUPPORTED", `${path} is one JSON document of more than ${MAX_DOCUMENT >> 20} MiB.`, {
    hint: "Deliver one record a line, and leave multiLine out.",
    object: path,
  });
}
