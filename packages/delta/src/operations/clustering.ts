import type { AddFile, TextMap } from "../log/actions.js";
import { isObject, parseJson } from "../log/json.js";
import { columnMappingMode, physicalSchema } from "../schema/column-mapping.js";
import { formatPath } from "../schema/field-path.js";
import type { StructType } from "../schema/schema.js";
import type { Snapshot } from "../snapshot/snapshot.js";

/** The metadata domain that names a table's clustering columns. Source: the Delta protocol, "Clustered Table". */
export const CLUSTERING_DOMAIN = "delta.clustering";

/** The `clusteringProvider` of files that liquid clustering laid out. */
export const LIQUID = "liquid";

/**
 * The columns by which a table clusters its rows, each as a path of names as users know them; undefined for a table
 * that is not clustered, none for one whose clustering was switched off (`CLUSTER BY NONE`). The domain holds the
 * physical names: `{"clusteringColumns":[["a"],["b","c"]]}`.
 *
 * Throws SyntaxError when the domain is damaged or names a column that is not there.
 */
export function clusteringColumns({ domains, schema, metadata }: ClusteredTable): readonly string[][] | undefined {
  const text = domains.get(CLUSTERING_DOMAIN);
  if (text === undefined) return undefined;
  const domain = parseJson(text);
  const paths = isObject(domain) ? domain["clusteringColumns"] : undefined;
  if (!Array.isArray(paths)) throw new SyntaxError(`the domain ${CLUSTERING_DOMAIN} names no columns: ${text}`);
  const physical = physicalSchema(schema, columnMappingMode(metadata.configuration));
  return paths.map((path) => {
    const names = logicalPath(Array.isArray(path) ? path : [path], schema, physical);
    if (names !== undefined) return names;
    throw new SyntaxError(`the domain ${CLUSTERING_DOMAIN} names a column that the table does not have: ${text}`);
  });
}

type ClusteredTable = Pick<Snapshot, "domains" | "schema"> & {
  readonly metadata: { readonly configuration: TextMap };
};

function logicalPath(path: readonly unknown[], schema: StructType, physical: StructType): string[] | undefined {
  const [name, ...rest] = path;
  const place = physical.fields.findIndex((field) => field.name === name);
  const [field, beneath] = [schema.fields[place], physical.fields[place]];
  if (field === undefined) return undefined;
  if (rest.length === 0) return [field.name];
  if (field.type.kind !== "struct" || beneath?.type.kind !== "struct") return undefined;
  const names = logicalPath(rest, field.type, beneath.type);
  return names === undefined ? undefined : [field.name, ...names];
}

/** Rows that were laid out together by one run of clustering: a Z-cube in Spark's words. */
export interface Cube {
  readonly id: string;
  /** Undefined: the writer did not say by which columns. */
  readonly columns: string | undefined;
}

/** The cube of a file, undefined for a file whose rows nobody has clustered. Spark keeps it in the file's tags. */
export function cubeOf({ clusteringProvider, tags }: AddFile): Cube | undefined {
  if (clusteringProvider !== LIQUID) return undefined;
  return { id: tags?.["ZCUBE_ID"] ?? "", columns: tags?.["ZCUBE_ZORDER_BY"] ?? undefined };
}

/** What the files of a new cube are marked with, so that Spark knows it, too. */
export function cubeMarks(id: string, columns: readonly (readonly string[])[]): FileMarks {
  return {
    clusteringProvider: LIQUID,
    tags: { ZCUBE_ID: id, ZCUBE_ZORDER_BY: cubeColumns(columns), ZCUBE_ZORDER_CURVE: "hilbert" },
  };
}

export function cubeColumns(columns: readonly (readonly string[])[]): string {
  return JSON.stringify(columns.map(formatPath));
}

/** What a data file says of the order of its rows. */
export interface FileMarks {
  readonly clusteringProvider?: string;
  readonly tags?: TextMap;
}
