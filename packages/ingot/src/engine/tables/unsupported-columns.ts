import { type Snapshot, typesWithin } from "@ingot/delta";
import { IngotError } from "../../model/error.js";
import { deltaFault } from "./delta-errors.js";

/**
 * Refuses columns of the type variant. DuckDB 1.5 reads them rightly only from files that mark them as Parquet's
 * logical type; those that Spark wrote before have plain structs, which come out as an object of two binaries.
 *
 * @throws IngotError DELTA_UNSUPPORTED_FEATURES_FOR_READ
 */
export function assertScannable(snapshot: Snapshot): void {
  const columns = snapshot.schema.fields.filter(({ type }) =>
    [...typesWithin(type)].some(({ kind }) => kind === "variant"),
  );
  if (columns.length > 0) throw refusal(snapshot, `variantType (${columns.map(({ name }) => name).join(", ")})`);
}

/**
 * Refuses strings that compare by another rule than their bytes, such as `spark.UTF8_LCASE`: a query would compare and
 * sort them in another way than Spark. Source: Delta's RFC "Collated String Type".
 *
 * @throws IngotError DELTA_UNSUPPORTED_FEATURES_FOR_READ
 */
export function assertComparable(snapshot: Snapshot): void {
  const fields = [...typesWithin(snapshot.schema)].flatMap((type) => (type.kind === "struct" ? type.fields : []));
  const collations = fields
    .flatMap(({ metadata }) => Object.values(metadata["__COLLATIONS"] ?? {}).map(String))
    .filter((collation) => !/^(spark\.)?UTF8_BINARY$/.test(collation));
  if (collations.length > 0) throw refusal(snapshot, `collations (${[...new Set(collations)].join(" and ")})`);
}

function refusal({ table, version }: Snapshot, feature: string): IngotError {
  return new IngotError(
    deltaFault("DELTA_UNSUPPORTED_FEATURES_FOR_READ"),
    `Version ${version} of ${table} cannot be read: it needs ${feature}.`,
    {
      object: table,
      hint: "Read it with Spark, or write a copy with columns of other types there.",
    },
  );
}
