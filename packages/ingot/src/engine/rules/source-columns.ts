import { ROW_SOURCES, type SourceColumns, sourceColumn } from "../../model/quarantine.js";
import type { BoundInput, BoundQuery } from "../engine.js";

/** How an engine's text of a query names what is known of its rows. */
export interface SourceText {
  /** A column of the relation that the rows come of. */
  readonly column: (name: string) => string;
  /** A record's place in its file, where the relation is files. */
  readonly rowNumber: string;
}

/**
 * What is known of where the rows of a relation come from, as SQL.
 *
 * @param tracesRows whether the rows of a view say where they come from
 */
export function sourcesAt(
  input: BoundInput | undefined,
  { column, rowNumber }: SourceText,
  tracesRows: (view: BoundQuery) => boolean,
): SourceColumns {
  if (input === undefined) return {};
  if (input.kind === "files") return fileSources(input, column, rowNumber);
  const columns = input.kind === "view" ? viewSources(tracesRows(input.view)) : (input.sources ?? {});
  return Object.fromEntries(Object.entries(columns).map(([source, name]) => [source, column(name)]));
}

function viewSources(isTraced: boolean): SourceColumns {
  return isTraced ? Object.fromEntries(ROW_SOURCES.map((source) => [source, sourceColumn(source)])) : {};
}

function fileSources(
  { read, columns }: BoundInput & { readonly kind: "files" },
  column: (name: string) => string,
  rowNumber: string,
): SourceColumns {
  // A column of the files of this name hides what is known of them.
  if (columns.some(({ name }) => name.toLowerCase() === "_metadata")) return {};
  const raw = [read.corruptRecordColumn, read.rescuedDataColumn].flatMap((name) => {
    const found = columns.find((field) => field.name.toLowerCase() === name?.toLowerCase());
    return found === undefined ? [] : [column(found.name)];
  });
  return {
    file: `${column("_metadata")}.file_path`,
    row: rowNumber,
    ...(raw.length === 0 ? {} : { record: `coalesce(${raw.join(", ")})` }),
  };
}
