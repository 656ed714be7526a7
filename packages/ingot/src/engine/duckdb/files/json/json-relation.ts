import { type DataType, type Field, formatType } from "../../../../model/data-type.js";
import { IngotError } from "../../../../model/error.js";
import type { JsonRead } from "../../../../model/file-read.js";
import { columnNames } from "../../../../sources/files/column-names.js";
import { quoteText } from "../../../../sql/lower/lower-text.js";
import { type LocatedFile, textPath } from "../located-file.js";
import type { Records, RecordUse } from "../record-columns.js";
import { fieldColumns, same } from "../relation-parts.js";
import type { JsonColumn, JsonReading } from "./read-json.js";

/**
 * The records of JSON files. With a declared schema the names of fields are compared with case, as in Spark; else
 * fields are found by the names that each file gives its columns.
 *
 * @throws NOT_SUPPORTED for a type that cannot be read exactly
 */
export function jsonRecords(
  read: JsonRead,
  columns: readonly Field[],
  files: readonly LocatedFile[],
  use: RecordUse,
): Records {
  const wanted = fieldColumns(read, columns, files);
  for (const field of wanted) checkType(field);
  const texts = wanted.map((_, i) => `texts[${i + 1}] AS t${i}`);
  const parts = files.map((file, i) => {
    const reading: JsonReading = {
      multiLine: read.multiLine,
      isDeclared: read.schema !== undefined,
      other: use.other,
      columns: columnsIn(file, read, wanted),
    };
    const source = `json_records(${quoteText(textPath(file))}, ${quoteText(JSON.stringify(reading))})`;
    return `SELECT ${[`${i} AS file`, "line, number, record, fault, other", ...texts].join(", ")} FROM ${source}`;
  });
  return parts.join(" UNION ALL ");
}

/** The fields of a file that the columns take; a column that the file lacks has no name. */
function columnsIn(file: LocatedFile, read: JsonRead, wanted: readonly Field[]): JsonColumn[] {
  if (read.schema !== undefined || file.fields === undefined) {
    return wanted.map(({ name, type }) => ({ name, type }));
  }
  const own = file.fields.map(({ name }) => name);
  const names = columnNames(own, { clean: read.cleanColumnNames });
  return wanted.map((column) => {
    const name = own[names.findIndex((candidate) => same(candidate, column.name))];
    // A type that was found or hinted is that of the text, whatever the text was in JSON.
    return { ...(name === undefined ? {} : { name }), type: { kind: "string" } };
  });
}

const READABLE: ReadonlySet<DataType["kind"]> = new Set([
  "string",
  "boolean",
  "tinyint",
  "smallint",
  "int",
  "bigint",
  "float",
  "double",
  "decimal",
  "date",
  "timestamp",
  "timestamp_ntz",
]);

function checkType({ name, type }: Field): void {
  if (READABLE.has(type.kind)) return;
  throw new IngotError("NOT_SUPPORTED", `Ingot does not read ${name} ${formatType(type)} from JSON files.`, {
    hint: "Declare the column as STRING, which takes the JSON text as it stands, and use from_json in the query.",
    object: name,
  });
}
