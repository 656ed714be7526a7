import type { BatchFile } from "../../../model/batch.js";
import { formatType } from "../../../model/data-type.js";
import type { BoundInput } from "../../engine.js";
import { filesRelation, project } from "../connect/relations.js";
import { columnList, ddlText, noRows } from "../spark-sql.js";
import type { TextContext } from "../text-context.js";
import { type FileLayout, fileLayout } from "./file-layout.js";
import { METADATA_TYPE, type MetadataUse, metadataText, POSITION } from "./file-metadata.js";
import { readOptions } from "./read-options.js";
import { refuseFiles } from "./refuse-files.js";

type Files = BoundInput & { readonly kind: "files" };

/** BOOLEAN: a record fits. */
const FITS = "__ingot_fits";

/**
 * SQL of the rows of a batch's files, which are named one by one: `columns`, and `_metadata` where it is asked for. A
 * record that does not fit stops the query where the read has no column for it, as everywhere.
 *
 * @throws IngotError SPARK_NOT_SUPPORTED for what Spark's readers give otherwise
 */
export function fileRows(input: Files, use: MetadataUse, context: TextContext): string {
  const { read, columns, files } = input;
  refuseFiles(input);
  if (files.length === 0) {
    const metadata = use === "none" ? "" : `, CAST(NULL AS ${METADATA_TYPE}) AS _metadata`;
    return `SELECT *${metadata} FROM (${noRows(columns)})`;
  }
  const parts = byLayout(files).map((alike) => {
    const layout = fileLayout(input, alike[0]);
    const { items, guard } = layout;
    const selected = [...items, ...(use === "none" ? [] : [`${metadataText(use, alike)} AS _metadata`])].join(", ");
    const records = recordsText(input, layout, alike, use, context);
    if (guard === undefined) return `SELECT ${selected} FROM ${records}`;
    if (read.mode !== "DROPMALFORMED") return `SELECT ${selected} FROM ${records} WHERE ${guard}`;
    // A record that is left out has its number all the same.
    const own = `${columnList(columns)}${use === "none" ? "" : ", _metadata"}`;
    return `SELECT ${own} FROM (SELECT ${selected}, ${guard} AS ${FITS} FROM ${records}) WHERE ${FITS}`;
  });
  return parts.join(" UNION ALL ");
}

/** SQL of the number of records that a read with DROPMALFORMED leaves out. */
export function droppedText(input: Files, context: TextContext): string {
  const counts = byLayout(input.files).map((alike) => {
    const layout = fileLayout(input, alike[0]);
    return `(SELECT count_if(NOT (${layout.guard ?? "true"})) FROM ${recordsText(input, layout, alike, "none", context)})`;
  });
  return `SELECT ${counts.join(" + ")} AS dropped`;
}

/** SQL name of the records of files with one layout. */
function recordsText(
  { read }: Files,
  { schema, unfit }: FileLayout,
  alike: readonly BatchFile[],
  use: MetadataUse,
  context: TextContext,
): string {
  const relation = filesRelation({
    format: read.format,
    ...(schema === undefined ? {} : { schema: ddlText(schema) }),
    options: readOptions(read, alike[0], unfit),
    paths: alike.map(({ path }) => path),
  });
  const metadata = ["*", "_metadata", ...(use === "whole" ? [POSITION] : [])];
  return context.name(use === "none" ? relation : project(relation, metadata));
}

/** Files that are read at once: with the same fields, below the same folders of partitions, in the same encoding. */
function byLayout(files: readonly BatchFile[]): BatchFile[][] {
  const groups = new Map<string, BatchFile[]>();
  for (const file of files) {
    const fields = file.fields?.map(({ name, type }) => [name, formatType(type)]);
    const key = JSON.stringify([fields, file.partition, file.encoding]);
    groups.set(key, [...(groups.get(key) ?? []), file]);
  }
  return [...groups.values()];
}
