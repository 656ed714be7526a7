import type { FileMetaData, SchemaElement } from "hyparquet";

/**
 * The metadata of a Parquet file as if it held these columns only, so that a reader passes over the others: top-level
 * ones by name (`protocol`), or fields of a struct by path (`add.path`). A column that is not there is left out.
 */
export function selectColumns(metadata: FileMetaData, columns: readonly string[]): FileMetaData {
  const isWanted = (path: string): boolean =>
    columns.some((column) => path === column || path.startsWith(`${column}.`));
  return {
    ...metadata,
    schema: onlyFields(metadata.schema, isWanted),
    row_groups: metadata.row_groups.map((group) => ({
      ...group,
      columns: group.columns.filter(({ meta_data }) => isWanted(meta_data?.path_in_schema.join(".") ?? "")),
    })),
  };
}

/** A Parquet schema is its tree in preorder. Structs that keep no field fall away, the root stays. */
function onlyFields(schema: readonly SchemaElement[], isWanted: (path: string) => boolean): SchemaElement[] {
  let at = 0;
  const take = (parent: readonly string[] | undefined): SchemaElement[] => {
    const element = schema[at];
    at += 1;
    if (element === undefined) throw new Error("its schema is cut off");
    const path = parent === undefined ? [] : [...parent, element.name];
    const { num_children = 0 } = element;
    if (num_children === 0) return isWanted(path.join(".")) ? [element] : [];
    const kept = Array.from({ length: num_children }, () => take(path)).filter((child) => child.length > 0);
    return kept.length === 0 && parent !== undefined ? [] : [{ ...element, num_children: kept.length }, ...kept.flat()];
  };
  return take(undefined);
}
