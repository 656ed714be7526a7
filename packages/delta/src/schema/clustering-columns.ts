import type { TextMap } from "../log/actions.js";
import { formatJson, isObject, parseJson } from "../log/json.js";
import { columnMappingMode, physicalSchema, translatePath } from "./column-mapping.js";
import type { StructType } from "./schema.js";

/** The metadata domain that names a table's clustering columns. Source: the Delta protocol, "Clustered Table". */
export const CLUSTERING_DOMAIN = "delta.clustering";

/** What of a table tells its clustering columns; a snapshot is one. */
export interface ClusteredTable {
  readonly schema: StructType;
  readonly metadata: { readonly configuration: TextMap };
  readonly domains: ReadonlyMap<string, string>;
}

/**
 * The columns by which a table clusters its rows, each as a path of names as users know them; undefined for a table
 * that is not clustered, none for one whose clustering was switched off (`CLUSTER BY NONE`).
 *
 * Throws SyntaxError when the domain is damaged or names a column that is not there.
 */
export function clusteringColumns({ domains, schema, metadata }: ClusteredTable): readonly string[][] | undefined {
  const text = domains.get(CLUSTERING_DOMAIN);
  if (text === undefined) return undefined;
  const paths = parseClusteringDomain(text);
  if (paths === undefined) throw new SyntaxError(`the domain ${CLUSTERING_DOMAIN} names no columns: ${text}`);
  const physical = physicalSchema(schema, columnMappingMode(metadata.configuration));
  return paths.map((path) => {
    const names = translatePath(path, physical, schema);
    if (names !== undefined) return names;
    throw new SyntaxError(`the domain ${CLUSTERING_DOMAIN} names a column that the table does not have: ${text}`);
  });
}

/**
 * The physical paths that the domain holds: `{"clusteringColumns":[["a"],["b","c"]]}`, or plain names, as in the
 * protocol's example. Undefined when it is damaged.
 */
export function parseClusteringDomain(configuration: string): string[][] | undefined {
  const domain = parseJson(configuration);
  const columns = isObject(domain) ? domain["clusteringColumns"] : undefined;
  if (!Array.isArray(columns)) return undefined;
  return columns.map((column) => (Array.isArray(column) ? column.map(String) : [String(column)]));
}

/** The domain of these columns, as Spark writes it. */
export function formatClusteringDomain(physicalPaths: readonly (readonly string[])[]): string {
  return formatJson({ clusteringColumns: physicalPaths, domainName: CLUSTERING_DOMAIN });
}
