import { DeltaError } from "../error.js";
import { numRecords } from "../files/stats.js";
import { type AddFile, fileKey } from "../log/actions.js";
import { isOn } from "../log/configuration.js";
import { supports } from "../protocol/protocol.js";
import { columnMappingMode, physicalSchema } from "../schema/column-mapping.js";
import type { Base, Change, MaskedFile, NewFile } from "./change.js";

const ABSOLUTE = /^(\/|[a-z][a-z0-9+.-]*:\/)/i;
const FORBIDDEN = /^$|^_delta_log(\/|$)|(^|\/)\.\.?(\/|$)/;

/**
 * What is wrong with the files of a change; undefined when nothing is.
 *
 * @param adoptsFiles its new files are those of another table or version, and may lie elsewhere
 * @throws DeltaError DELTA_DELETION_VECTOR_MISSING_NUM_RECORDS
 */
export function faultyFiles(
  base: Base,
  { add = [], mask = [], changeFiles = [] }: Change,
  remove: readonly AddFile[],
  adoptsFiles: boolean,
): string | undefined {
  return (
    faultyRemoval(base, [...remove, ...mask.map(({ file }) => file)]) ??
    faultyMask(base, mask, adoptsFiles) ??
    faultyAddition(base, add, adoptsFiles) ??
    faultyChangeFiles(base, changeFiles, add)
  );
}

function faultyRemoval(base: Base, remove: readonly AddFile[]): string | undefined {
  const paths = new Set(remove.map(({ path }) => path));
  // A table may have many more files than a commit removes.
  const present = new Set(base.files.filter(({ path }) => paths.has(path)).map(fileKey));
  for (const file of remove)
    if (!present.delete(fileKey(file))) return `it removes ${file.path}, which is not in the table`;
  return undefined;
}

function faultyMask(base: Base, mask: readonly MaskedFile[], adoptsFiles: boolean): string | undefined {
  for (const { file, deletionVector } of mask) {
    if (fileKey({ path: file.path, deletionVector }) === fileKey(file))
      return `it masks ${file.path} by the deletion vector that the file has`;
    if (deletionVector === undefined) continue;
    const grows = deletionVector.cardinality > (file.deletionVector?.cardinality ?? 0n);
    if (grows && !adoptsFiles && !isOn(base.metadata.configuration, "delta.enableDeletionVectors"))
      return `it writes a deletion vector for ${file.path}, though delta.enableDeletionVectors is not true`;
    const fault = faultyVector(base, { ...file, deletionVector });
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** Source: the Delta protocol, "Writer Requirement for Deletion Vectors". */
function faultyVector(
  base: Base,
  { path, stats, deletionVector }: Pick<AddFile, "path" | "stats" | "deletionVector">,
): string | undefined {
  if (deletionVector === undefined) return undefined;
  if (!supports(base.protocol, "deletionVectors"))
    return `${path} has a deletion vector, and the table lacks the feature deletionVectors`;
  const rows = numRecords(stats);
  if (rows === undefined)
    throw new DeltaError(
      "DELTA_DELETION_VECTOR_MISSING_NUM_RECORDS",
      `The statistics of ${path} do not tell how many rows it holds, so rows of it cannot be deleted by a vector.`,
      { table: base.table, version: base.version, path, hint: "Write the file anew without the deleted rows." },
    );
  if (deletionVector.cardinality > BigInt(rows))
    return `${path} holds ${rows} rows, and its deletion vector ${deletionVector.cardinality}`;
  return undefined;
}

function faultyAddition(base: Base, add: readonly NewFile[], adoptsFiles: boolean): string | undefined {
  const paths = new Set<string>();
  const partitionsFault = partitionCheck(base);
  for (const file of add) {
    const { path } = file;
    if (FORBIDDEN.test(path) || (ABSOLUTE.test(path) && !adoptsFiles))
      return `${path} is no path of a data file below the table`;
    if (paths.has(path)) return `it adds ${path} twice`;
    const fault = partitionsFault(file) ?? faultyVector(base, file);
    if (fault !== undefined) return fault;
    paths.add(path);
  }
  const present = base.files.find(({ path }) => paths.has(path));
  return present === undefined ? undefined : `it adds ${present.path}, which is in the table`;
}

function faultyChangeFiles(base: Base, changeFiles: readonly NewFile[], add: readonly NewFile[]): string | undefined {
  const added = new Set(add.map(({ path }) => path));
  const partitionsFault = partitionCheck(base);
  for (const file of changeFiles) {
    if ((!file.path.startsWith("_change_data/") && !added.has(file.path)) || FORBIDDEN.test(file.path))
      return `the change file ${file.path} is neither below _change_data nor a new data file`;
    const fault = partitionsFault(file);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function partitionCheck({ schema, metadata }: Base): (file: NewFile) => string | undefined {
  const { partitionColumns, configuration } = metadata;
  const { fields } = physicalSchema(schema, columnMappingMode(configuration));
  const names = partitionColumns.map((column) => fields[schema.fields.findIndex(({ name }) => name === column)]?.name);
  const expected = [...names].sort().join("\0");
  return ({ path, partitionValues = {} }) =>
    Object.keys(partitionValues).sort().join("\0") === expected
      ? undefined
      : `${path} must state exactly the partition columns [${names.join(", ")}]`;
}
