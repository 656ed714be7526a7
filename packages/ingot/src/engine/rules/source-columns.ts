import { ROW_SOURCES, type RowSource, sourceColumn } from "../../model/quarantine.js";
import type { BoundInput, BoundQuery } from "../engine.js";

/** What says where a row comes from, as an engine's SQL. */
export type SourceTexts = Readonly<Partial<Record<RowSource, string>>>;

/** How an engine's text of a query names what is known of its rows. */
export interface SourceText {
  /** A column of the relation that the rows come of. */
  readonly column: (name: string, ...fields: readonly string[]) => string;
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
): SourceTexts {
  if (input === undefined) return {};
  if (input.kind === "files") return fileSources(input, column, rowNumber);
  if (input.kind === "view")
    return tracesRows(input.view)
      ? Object.fromEntries(ROW_SOURCES.map((source) => [source, column(sourceColumn(source))]))
      : {};
  return Object.fromEntries(Object.entries(input.sources ?? {}).map(([source, path]) => [source, column(...path)]));
}

function fileSources(
  { read, columns }: BoundInput & { readonly kind: "files" },
  column: SourceText["column"],
  rowNumber: string,
): SourceTexts {
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
