import type { FileColumns, FileUse } from "../graph/file-input.js";
import type { BatchFile } from "../model/batch.js";
import type { Field } from "../model/data-type.js";
import type { Flow } from "../model/definition.js";
import { IngotError } from "../model/error.js";
import type { FileRead } from "../model/file-read.js";
import { type Batches, filesOf, positionOf, sourcesOf } from "../plan/history.js";
import { sourceKey } from "../plan/inputs.js";
import type { SeenFiles } from "../plan/seen-files.js";
import { declaredColumns } from "../sources/files/declared-columns.js";
import { type LandingFiles, optionsKey } from "../sources/files/landing-files.js";
import { planFileBatch } from "../sources/files/plan-file-batch.js";
import { sourceColumns } from "../sources/files/source-columns.js";
import { wholeFiles } from "../sources/files/whole-files.js";
import { readCheckpoint } from "./checkpoint.js";
import { type InferContext, inferTypes } from "./infer-types.js";

export interface FileColumnsContext extends InferContext {
  /** Folder of the spec. */
  readonly root: string;
  readonly storage: string;
  readonly landing: LandingFiles;
  /** Of the project. */
  readonly flows: readonly Flow[];
}

/**
 * Gives each read of files its columns, for one look at the graph: those that are declared; else those of the source's
 * last batch and of the files that are new since. Looks into new files once; the plan of the run uses the same look. Writes nothing.
 *
 * Where the files cannot be read, the columns of before stand, if there are any: the flow tells the fault when it is
 * planned, and does not hold up the others.
 */
export function fileColumns(context: FileColumnsContext): FileColumns {
  const readers = findReaders(context);
  return async (read, use) => {
    if (read.schema !== undefined) return declaredColumns(read, read.schema);
    const before = knownSource(read, use, use.role === "reset" ? [] : await checkpointsOf(read, use, readers, context));
    if (use.role === "excluded" && before.columns !== undefined) return before.columns;
    try {
      const files = await look(read, use, before, context.landing);
      const { columns, found, fault } = sourceColumns(read, use.stream ? before.columns : undefined, files);
      if (fault !== undefined) throw fault;
      // The values of JSON say their types themselves; those of CSV are asked.
      const asks = read.format === "csv" && read.inferColumnTypes;
      return asks ? await inferTypes(read, columns, found, files, context) : columns;
    } catch (error) {
      if (before.columns !== undefined) return before.columns;
      if (read.onMissing === "skip" && isAbsent(error)) return undefined;
      throw error;
    }
  };
}

/** The files that bring columns: all of a whole read, the new ones of a stream. */
async function look(
  read: FileRead,
  use: FileUse,
  before: KnownSource,
  landing: LandingFiles,
): Promise<readonly BatchFile[]> {
  if (!use.stream) return (await wholeFiles(landing, read, before.files)).files;
  const { maxFilesPerTrigger: _files, maxBytesPerTrigger: _bytes, ...unlimited } = read;
  const all = { ...unlimited, includeExistingFiles: true };
  return (await planFileBatch(landing, all, before.seen, { first: false })).files;
}

/** What batches of before tell of a source. */
interface KnownSource {
  readonly columns: readonly Field[] | undefined;
  /** Of a whole read: the files of its last batch, where they were looked into with the same options. */
  readonly files: ReadonlyMap<string, BatchFile>;
  readonly seen: SeenFiles;
}

/** A source whose path or options were edited has another name, and goes on from what it had under the old one. */
function knownSource(read: FileRead, use: FileUse, checkpoints: readonly Batches[]): KnownSource {
  const key = keyOf(read, use);
  const besides = new Set(use.besides.map((other) => keyOf(other, use)));
  const mode = use.stream ? "stream files " : "whole files ";
  const counts = (source: string) => source === key || (source.startsWith(mode) && !besides.has(source));
  const positions = checkpoints.flatMap((checkpoint) =>
    sourcesOf(checkpoint)
      .filter(counts)
      .flatMap((source) => positionOf(checkpoint, source) ?? []),
  );
  const before = positions.flatMap((position) => (position.kind === "files" ? [position] : []));
  const files = before.filter(({ options }) => options === optionsKey(read)).flatMap((input) => input.files);
  return {
    // Columns only grow, so the longest list has them all.
    columns: before
      .flatMap(({ columns }) => (columns === undefined ? [] : [columns]))
      .sort((a, b) => b.length - a.length)[0],
    files: new Map(files.map((file) => [file.path, file])),
    seen: filesOf(checkpoints, counts),
  };
}

function keyOf(read: FileRead, { stream }: FileUse): string {
  return sourceKey({ kind: "files", stream, read });
}

/** What the flow has done; for the files of a view, what all flows have done that have read them. */
async function checkpointsOf(
  read: FileRead,
  use: FileUse,
  readers: Readers,
  { storage, root }: FileColumnsContext,
): Promise<Batches[]> {
  const found: Batches[] = [];
  for (const flow of use.flow === undefined ? await readers(keyOf(read, use)) : [use.flow]) {
    const checkpoint = await readCheckpoint(storage, flow, root);
    if (checkpoint !== undefined) found.push(checkpoint);
  }
  return found;
}

/** The flows that have read a source. */
type Readers = (source: string) => Promise<readonly Flow[]>;

/** Looks through the checkpoints of all flows once, when the first view asks. */
function findReaders({ flows, storage, root }: FileColumnsContext): Readers {
  let bySource: Promise<ReadonlyMap<string, readonly Flow[]>> | undefined;
  const look = async () => {
    const found = new Map<string, Flow[]>();
    for (const flow of flows) {
      const checkpoint = await readCheckpoint(storage, flow, root);
      for (const source of checkpoint === undefined ? [] : sourcesOf(checkpoint))
        found.set(source, [...(found.get(source) ?? []), flow]);
    }
    return found;
  };
  return async (source) => {
    bySource ??= look();
    return (await bySource).get(source) ?? [];
  };
}

function isAbsent(error: unknown): boolean {
  return error instanceof IngotError && ["PATH_NOT_FOUND", "UNABLE_TO_INFER_SCHEMA"].includes(error.code);
}
