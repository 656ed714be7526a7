import type { Field } from "../model/data-type.js";
import type { Flow } from "../model/definition.js";
import type { IngotError } from "../model/error.js";
import type { FileRead } from "../model/file-read.js";
import type { FilesRelation } from "../model/query.js";
import type { GraphInput, TableRole } from "./graph.js";

/** Who reads files: it decides which of them are new, and which columns were there before. */
export interface FileUse {
  readonly stream: boolean;
  /** The flow where it fills a table; the files of a view are read by the flows above it. */
  readonly flow?: Flow;
  /** Other files that the same query reads. */
  readonly besides: readonly FileRead[];
  readonly role: TableRole;
}

/** The columns that a read of files gives, all but `_metadata`; undefined leaves out of the run what reads it. */
export type FileColumns = (read: FileRead, use: FileUse) => Promise<readonly Field[] | undefined>;

/** Files that may be missing are, so that nothing can be said of their columns. */
export class FilesAbsent extends Error {}

/** Files cannot be looked at, so that nothing can be said of their columns: a fault of the flow that reads them alone. */
export class FilesUnknown extends Error {
  readonly fault: IngotError;

  constructor(fault: IngotError) {
    super(fault.message);
    this.fault = fault;
  }
}

/**
 * Files as an input of a flow, with their columns.
 *
 * @throws FilesAbsent; IngotError PATH_NOT_FOUND, FILE_…, UNABLE_TO_INFER_SCHEMA
 */
export async function fileInput(
  { files: read, stream }: FilesRelation,
  use: Omit<FileUse, "stream">,
  fileColumns: FileColumns,
): Promise<GraphInput & { readonly kind: "files" }> {
  const columns = await fileColumns(read, { stream, ...use });
  if (columns !== undefined) return { kind: "files", stream, read, columns };
  throw new FilesAbsent(`${read.path} is not there yet, and its columns are not known`);
}
