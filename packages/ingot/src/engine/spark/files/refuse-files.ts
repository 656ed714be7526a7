import { fieldNamed } from "../../../model/data-type.js";
import type { BoundInput } from "../../engine.js";
import { notOnSpark } from "../not-supported.js";

/**
 * Refuses reads whose rows Spark's readers would give otherwise than `read_files` says.
 *
 * @throws IngotError SPARK_NOT_SUPPORTED
 */
export function refuseFiles({ read, columns, files }: BoundInput & { readonly kind: "files" }): void {
  const fault = faultOf(read, columns, files);
  if (fault !== undefined) throw notOnSpark(...fault, read.path);
}

type Files = BoundInput & { readonly kind: "files" };

function faultOf(
  read: Files["read"],
  columns: Files["columns"],
  files: Files["files"],
): readonly [what: string, hint: string] | undefined {
  if (fieldNamed(columns, "_metadata") !== undefined)
    return ["A column _metadata of files", "Give the field another name."];
  if (read.mode === "DROPMALFORMED" && read.rescuedDataColumn !== undefined)
    return ["DROPMALFORMED beside rescued data", "Leave the one or the other out."];
  if (read.format === "json" && read.schema === undefined)
    return ["JSON whose columns are found in the files", "Declare its schema."];
  if (read.format === "text" && files.some(({ encoding }) => encoding !== undefined))
    return ["Text in another encoding than UTF-8", "Convert the files."];
  if ((read.format === "csv" || read.format === "json" || read.format === "text") && read.compression !== undefined)
    return ["The option compression", "Give the files the ending that says it: .gz."];
  if (files.some(({ compression }) => compression === "zstd")) return ["zstd", "Compress the files with gzip."];
  const strange = files.find(({ path }) => /[*?[\]{}\\]/.test(path));
  if (strange !== undefined)
    return [`The path ${strange.path}, in which Spark would find a pattern,`, "Give the file another name."];
  if (read.rescuedDataColumn !== undefined && read.format !== "text" && read.format !== "binaryFile") {
    const names = (file: Files["files"][number]) => file.fields?.map(({ name }) => name) ?? [];
    const other = files.flatMap(names).find((name) => fieldNamed(columns, name) === undefined);
    if (other !== undefined && !read.cleanColumnNames)
      return [`Rescued data, such as that of the field ${other},`, "Take the field as a column."];
  }
  return undefined;
}
