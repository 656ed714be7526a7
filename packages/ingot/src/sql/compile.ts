import type { Field } from "../model/data-type.js";
import type { CompiledQuery } from "../model/query.js";
import type { Sources } from "../sap/conventions.js";
import { type BoundQuery, bindParsed } from "./bind/bind-query.js";
import { markOf, toLineage } from "./bind/origins.js";
import { entanglementOf } from "./entanglement.js";
import { linearRelations } from "./linear-relations.js";
import type { ParsedQuery } from "./parse/parse-query.js";
import { sparkParts } from "./spark-text.js";

/**
 * Types a query and lowers it to DuckDB, and to Spark. `schemas` gives the columns of each of `parsed.relations` by its id; for files
 * their declared schema is used where none is given.
 *
 * @throws IngotError UNRESOLVED_COLUMN.…, AMBIGUOUS_REFERENCE, FIELD_NOT_FOUND, MISSING_AGGREGATION,
 *   DATATYPE_MISMATCH.…, NUM_COLUMNS_MISMATCH, UNRESOLVED_ROUTINE, WRONG_NUM_ARGS.…; UNSUPPORTED_CLAUSE and
 *   UNSUPPORTED_FUNCTION for what has no exact translation; UNKNOWN_TABLE for a relation without a schema. Each with its
 *   place.
 */
export function compileParsed(
  parsed: ParsedQuery,
  schemas: ReadonlyMap<string, readonly Field[]>,
  sources: Sources = new Map(),
): CompiledQuery {
  const known = new Map(schemas);
  for (const relation of parsed.relations)
    if (relation.kind === "files" && relation.files.schema !== undefined && !known.has(relation.id))
      known.set(relation.id, relation.files.schema);
  const expansions = new Map();
  const bound = bindParsed(parsed, known, sources, expansions);
  return {
    reads: parsed.relations,
    schema: bound.columns.map(({ origins, ...field }) => ({ ...field, ...markOf(origins) })),
    lineage: toLineage(
      bound.columns.map((column) => column.origins),
      bound.influences,
    ),
    duckdb: bound.sql,
    spark: sparkParts(parsed, expansions, bound.room?.relation),
    deterministic: !bound.volatile,
    preservesRows: bound.plain && parsed.relations.length === 1,
    ...(bound.room === undefined ? {} : { room: bound.room }),
    ...propagationOf(parsed, bound),
  };
}

function propagationOf(
  { query }: ParsedQuery,
  { groups, totals, columns }: BoundQuery,
): Pick<CompiledQuery, "propagation" | "entangled"> {
  const linear = linearRelations(query, groups !== undefined || totals !== undefined);
  if (Object.keys(linear).length === 0) return { entangled: entanglementOf(query) };
  if (totals !== undefined) return { propagation: { linear, totals } };
  if (groups === undefined) return { propagation: { linear } };
  const names = groups.columns.flatMap((i) => columns[i]?.name ?? []);
  return { propagation: { linear, groups: { ...groups, columns: names } } };
}
