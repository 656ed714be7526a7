import type { BatchFile } from "../../../model/batch.js";
import { formatType } from "../../../model/data-type.js";
import type { BoundInput } from "../../engine.js";
import { filesRelation, project } from "../connect/relations.js";
import { ddlText, noRows } from "../spark-sql.js";
import type { TextContext } from "../text-context.js";
import { fileLayout } from "./file-layout.js";
import { METADATA_TYPE, type MetadataUse, metadataText, POSITION } from "./file-metadata.js";
import { readOptions } from "./read-options.js";
import { refuseFiles } from "./refuse-files.js";

/**
 * SQL of the rows of a batch's files, which are named one by one: `columns`, and `_metadata` where it is asked for. A
 * record that does not fit stops the query where the read has no column for it, as everywhere.
 *
 * @throws IngotError SPARK_NOT_SUPPORTED for what Spark's readers give otherwise
 */
export function fileRows(
  input: BoundInput & { readonly kind: "files" },
  use: MetadataUse,
  context: TextContext,
): string {
  const { read, columns, files } = input;
  refuseFiles(input);
  if (files.length === 0) {
    const metadata = use === "none" ? "" : `, CAST(NULL AS ${METADATA_TYPE}) AS _metadata`;
    return `SELECT *${metadata} FROM (${noRows(columns)})`;
  }
  const parts = byLayout(files).map((alike) => {
    const { schema, unfit, items, guard } = fileLayout(input, alike[0]);
    const relation = filesRelation({
      format: read.format,
      ...(schema === undefined ? {} : { schema: ddlText(schema) }),
      options: readOptions(read, alike[0], unfit),
      paths: alike.map(({ path }) => path),
    });
    const rows =
      use === "none" ? relation : project(relation, ["*", "_metadata", ...(use === "whole" ? [POSITION] : [])]);
    const selected = [...items, ...(use === "none" ? [] : [`${metadataText(use, alike)} AS _metadata`])];
    return `SELECT ${selected.join(", ")} FROM ${context.name(rows)}${guard === undefined ? "" : ` WHERE ${guard}`}`;
  });
  return parts.join(" UNION ALL ");
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
