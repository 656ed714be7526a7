import type { BatchFile } from "../../../model/batch.js";
import { type Field, fieldNamed, formatType } from "../../../model/data-type.js";
import { quoteIdentifier, sameName } from "../../../model/name.js";
import { columnNames } from "../../../sources/files/column-names.js";
import { quoteString } from "../../../sql/quote.js";
import type { BoundInput } from "../../engine.js";
import { typeText } from "../spark-sql.js";
import { keepsLineEnds } from "./read-options.js";

type Files = BoundInput & { readonly kind: "files" };

/** Column that Spark puts the text of a record into that does not fit, where the read names none. */
const UNFIT = "__ingot_unfit";

/** How files of one layout are read. */
export interface FileLayout {
  /** In the order of the file's fields; undefined where the format has columns of its own. */
  readonly schema: readonly Field[] | undefined;
  /** Select items of the columns. */
  readonly items: readonly string[];
  /** The column for records that do not fit. */
  readonly unfit: string | undefined;
  /** Condition of the records that go on; raises an error for one that has no place. */
  readonly guard?: string;
}

/** @param file one of the layout */
export function fileLayout({ read, columns }: Files, file: BatchFile | undefined): FileLayout {
  const partition = Object.keys(file?.partition ?? {});
  const special = [read.corruptRecordColumn, read.rescuedDataColumn].filter((name) => name !== undefined);
  const wanted = columns.filter(({ name }) => ![...special, ...partition].some((other) => sameName(other, name)));
  const item = (field: Field): string => {
    const key = partition.find((other) => sameName(other, field.name));
    if (key !== undefined) return literal(file?.partition?.[key] ?? null, field);
    return `CAST(NULL AS ${typeText(field.type)}) AS ${quoteIdentifier(field.name)}`;
  };
  if (read.format === "text" || read.format === "binaryFile")
    return {
      schema: undefined,
      unfit: undefined,
      items: columns.map((field) => (wanted.includes(field) ? quoteIdentifier(field.name) : item(field))),
    };
  const fields = read.schema === undefined ? ownFields(read, file, wanted) : wanted;
  const keeps = read.format !== "parquet" && read.mode === "PERMISSIVE";
  const items = columns.map((column) => {
    const field = fieldNamed(fields, column.name);
    if (!wanted.includes(column) || field === undefined) {
      const isUnfit = sameName(column.name, read.corruptRecordColumn ?? "") && keeps;
      return isUnfit ? `${unfitText(column.name, fields)} AS ${quoteIdentifier(column.name)}` : item(column);
    }
    const isSame = formatType(field.type) === formatType(column.type);
    const value = quoteIdentifier(field.name);
    return `${isSame ? value : `CAST(${value} AS ${typeText(column.type)})`} AS ${quoteIdentifier(column.name)}`;
  });
  if (read.format === "parquet") return { schema: fields, unfit: undefined, items };
  const unfit = keeps ? (read.corruptRecordColumn ?? UNFIT) : UNFIT;
  const text = unfitText(UNFIT, fields);
  const fits = read.mode === "DROPMALFORMED" ? `${text} IS NULL` : refusal(text, read.rescuedDataColumn);
  const guards = [...(unfit === UNFIT ? [fits] : []), ...(keepsLineEnds(read) ? [lineEndGuard(fields)] : [])];
  return {
    schema: [...fields, { name: unfit, type: { kind: "string" }, nullable: true }],
    unfit,
    items,
    ...(guards.length === 0 ? {} : { guard: guards.join(" AND ") }),
  };
}

/** The fields of a file under the names of the columns that take them: text takes the column's type, Parquet keeps its own. */
function ownFields(
  { format, cleanColumnNames }: Files["read"],
  file: BatchFile | undefined,
  wanted: readonly Field[],
): readonly Field[] {
  const own = file?.fields ?? [];
  const names = columnNames(
    own.map(({ name }) => name),
    { clean: cleanColumnNames },
  );
  if (format === "parquet") return own;
  return names.map((name) => ({
    name,
    type: fieldNamed(wanted, name)?.type ?? { kind: "string" },
    nullable: true,
  }));
}

/** The text of a record that does not fit. Spark refuses to read it alone, so another field is read with it. */
function unfitText(column: string, [beside]: readonly Field[]): string {
  const text = quoteIdentifier(column);
  if (beside === undefined) return text;
  return `coalesce(concat(${text}, left(CAST(${quoteIdentifier(beside.name)} AS STRING), 0)), ${text})`;
}

function refusal(unfit: string, rescued: string | undefined): string {
  const why =
    rescued === undefined
      ? "[MALFORMED_RECORD] A record does not fit the schema: "
      : `[SPARK_NOT_SUPPORTED] A record does not fit, and the Spark engine fills no ${rescued}: `;
  return `CASE WHEN ${unfit} IS NULL THEN true ELSE raise_error(concat(${quoteString(why)}, left(${unfit}, 1000))) END`;
}

/** Records that end with CRLF would have the CR in their last field. */
function lineEndGuard(fields: readonly Field[]): string {
  const last = fields.at(-1);
  const value = `CAST(${quoteIdentifier(last?.name ?? "")} AS STRING)`;
  const why =
    "[SPARK_NOT_SUPPORTED] A CSV file with multiLine and without a schema ends its lines with CRLF: declare its schema";
  return last === undefined
    ? "true"
    : `CASE WHEN ${value} LIKE '%\\r' THEN raise_error(${quoteString(why)}) ELSE true END`;
}

function literal(value: string | null, { name, type }: Field): string {
  return `CAST(${value === null ? "NULL" : quoteString(value)} AS ${typeText(type)}) AS ${quoteIdentifier(name)}`;
}
