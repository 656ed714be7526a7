import { type Field, fieldNamed } from "../model/data-type.js";
import type { Dataset } from "../model/definition.js";
import { IngotError } from "../model/error.js";
import { formatName } from "../model/name.js";
import { nearest } from "../model/nearest.js";
import type { DeclaredTable, TableState } from "../model/table.js";

/**
 * How a table lays out its rows: the columns of PARTITIONED BY or of CLUSTER BY, as the schema writes them.
 *
 * @param existing the table that the rows are added to; none where all its rows are replaced
 * @throws IngotError UNRESOLVED_COLUMN.WITH_SUGGESTION, SPECIFY_CLUSTER_BY_WITH_PARTITIONED_BY_IS_NOT_ALLOWED,
 * CANNOT_UPDATE_PARTITION_COLUMNS
 */
export function layoutOf(
  dataset: Dataset,
  schema: readonly Field[],
  existing: TableState | undefined,
): Pick<DeclaredTable, "partitionBy" | "clusterBy"> {
  const { partitionBy = [], clusterBy = [], at } = dataset;
  const object = formatName(dataset.name);
  if (partitionBy.length > 0 && clusterBy.length > 0)
    throw new IngotError(
      "SPECIFY_CLUSTER_BY_WITH_PARTITIONED_BY_IS_NOT_ALLOWED",
      `${object}: partition columns and clustering columns stand together`,
      { at, object, hint: "Keep one of the two." },
    );
  const resolve = (column: string): string => {
    const field = fieldNamed(schema, column);
    if (field === undefined) throw unknownColumn(dataset, column, schema);
    return field.name;
  };
  const partitions = partitionBy.map(resolve);
  if (existing !== undefined && existing.partitionBy.join() !== partitions.join())
    throw new IngotError(
      "CANNOT_UPDATE_PARTITION_COLUMNS",
      `${object} is partitioned by ${list(existing.partitionBy)}, and is declared with ${list(partitions)}`,
      {
        at,
        object,
        hint: `Its files lie in folders by these columns. Declare them as they were, or write all rows again with --full-refresh ${dataset.name.table}.`,
      },
    );
  return {
    ...(partitions.length === 0 ? {} : { partitionBy: partitions }),
    ...(clusterBy === "auto" || clusterBy.length === 0 ? {} : { clusterBy: clusterBy.map(resolve) }),
  };
}

function list(columns: readonly string[]): string {
  return columns.length === 0 ? "no column" : columns.join(", ");
}

function unknownColumn(dataset: Dataset, column: string, schema: readonly Field[]): IngotError {
  const names = schema.map(({ name }) => name);
  const near = nearest(column, names);
  const object = formatName(dataset.name);
  return new IngotError(
    "UNRESOLVED_COLUMN.WITH_SUGGESTION",
    `${object}: there is no column ${column} to lay out its rows by`,
    {
      at: dataset.at,
      object,
      hint: near === undefined ? `It has ${names.join(", ")}.` : `Did you mean ${near}?`,
    },
  );
}
