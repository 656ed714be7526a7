import { randomUUID } from "node:crypto";
import { hyparquetReader, type ParquetReader } from "../files/parquet.js";
import { hyparquetWriter, type ParquetWriter } from "../files/parquet-writer.js";
import { formatJson, type JsonObject } from "../log/json.js";
import { checkpointPath, logFolder, noDeltaTable, sidecarsFolder } from "../log/log-files.js";
import { assertMaintainable, readSchema } from "../protocol/protocol.js";
import type { Store } from "../store/store.js";
import { type CheckpointRows, checkpointRows, type Row } from "./checkpoint-rows.js";
import { type CheckpointColumns, checkpointSchema, parsedColumns, sidecarSchema } from "./checkpoint-schema.js";
import { type LastCheckpoint, noteLastCheckpoint } from "./last-checkpoint.js";
import { type LogProperties, logProperties } from "./log-properties.js";
import type { ReplayedState } from "./replay.js";
import { replayTable } from "./replay-table.js";

export interface CheckpointOptions {
  /** Of which version; default the newest. */
  readonly version?: bigint;
  /** The top file of a checkpoint in V2; default "parquet". */
  readonly format?: "parquet" | "json";
  /** Without them reader and writer in JavaScript are loaded. */
  readonly reader?: ParquetReader;
  readonly writer?: ParquetWriter;
  /** Milliseconds since the epoch: decides which tombstones have expired. */
  readonly now?: () => number;
}

export interface WrittenCheckpoint {
  readonly version: bigint;
  /** The top file, then the sidecars. */
  readonly paths: readonly string[];
  readonly numOfAddFiles: number;
  readonly sizeInBytes: number;
}

/** From here on one classic file is slow to write and to read. */
const FILES_FOR_V2 = 100_000;
const FILES_PER_SIDECAR = 50_000;

/**
 * Writes a checkpoint: the classic single file, or V2 with sidecars where the table has the feature `v2Checkpoint` and
 * asks for it (`delta.checkpointPolicy`) or holds more than 100,000 files. No reader sees half of it. A classic
 * checkpoint of the same version, whole or damaged, is replaced. `_last_checkpoint` follows; it is a hint only, so that
 * it could not be written is no error. Source: the Delta protocol, "Checkpoints".
 *
 * @throws DeltaError NO_DELTA_TABLE, DELTA_VERSION_NOT_FOUND, DELTA_TABLE_UNREADABLE, DELTA_INVALID_INTERVAL,
 * DELTA_UNSUPPORTED_FEATURES_FOR_READ, DELTA_UNSUPPORTED_FEATURES_FOR_WRITE; and errors of the store
 */
export async function writeCheckpoint(
  store: Store,
  table: string,
  options: CheckpointOptions = {},
): Promise<WrittenCheckpoint> {
  const { reader = hyparquetReader, writer = hyparquetWriter, format = "parquet", now = Date.now } = options;
  const found = await replayTable(store, table, options.version, reader, { tombstones: true });
  if (found === undefined) throw noDeltaTable(table);
  const { version, state } = found;
  const { protocol, metadata } = state;
  const at = { table, version };
  assertMaintainable(protocol, at);
  const properties = logProperties(at, metadata.configuration);
  const schema = readSchema(metadata, at);
  const columns = {
    statsAsJson: properties.statsAsJson,
    parsed: properties.statsAsStruct ? parsedColumns({ schema, metadata }) : undefined,
  };
  const rows = checkpointRows(at, state, columns, {
    tombstones: now() - properties.tombstoneRetention,
    transactions: properties.transactionRetention === undefined ? undefined : now() - properties.transactionRetention,
  });
  const task = { store, table, version, columns, rows, writer, now: now() };
  const written = isV2(state, properties) ? await writeV2(task, format) : await writeClassic(task);
  await noteLastCheckpoint(store, table, written.hint);
  const { hint, paths } = written;
  return { version, paths, numOfAddFiles: rows.numOfAddFiles, sizeInBytes: hint.sizeInBytes };
}

interface Task {
  readonly store: Store;
  readonly table: string;
  readonly version: bigint;
  readonly columns: CheckpointColumns;
  readonly rows: CheckpointRows;
  readonly writer: ParquetWriter;
  readonly now: number;
}

interface Written {
  readonly paths: readonly string[];
  readonly hint: LastCheckpoint;
}

function isV2({ protocol, files }: ReplayedState, { checkpointPolicy }: LogProperties): boolean {
  const isSupported = protocol.readerFeatures?.includes("v2Checkpoint") ?? false;
  return isSupported && (checkpointPolicy === "v2" || files.size > FILES_FOR_V2);
}

async function writeClassic({ store, table, version, columns, rows, writer }: Task): Promise<Written> {
  const { others, files, numOfAddFiles } = rows;
  const content = await writer(checkpointSchema(columns), [...others, ...files]);
  const path = checkpointPath(table, version);
  await store.put(path, content);
  const size = others.length + files.length;
  return { paths: [path], hint: { version, size, sizeInBytes: content.length, numOfAddFiles } };
}

/** The sidecars come first: a top file must not name one that is missing. */
async function writeV2(task: Task, format: "parquet" | "json"): Promise<Written> {
  const { store, table, version, columns, rows, writer, now } = task;
  const sidecars: { name: string; size: number }[] = [];
  for (let start = 0; start < rows.files.length; start += FILES_PER_SIDECAR) {
    const name = `${randomUUID()}.parquet`;
    const content = await writer(sidecarSchema(columns), rows.files.slice(start, start + FILES_PER_SIDECAR));
    await putNew(store, `${sidecarsFolder(table)}/${name}`, content);
    sidecars.push({ name, size: content.length });
  }
  const top: Row[] = [
    { checkpointMetadata: { version, tags: {} } },
    ...rows.others,
    ...sidecars.map(({ name, size }) => ({
      sidecar: { path: name, sizeInBytes: BigInt(size), modificationTime: BigInt(now), tags: {} },
    })),
  ];
  const path = checkpointPath(table, version, { uuid: randomUUID(), format });
  const content = format === "json" ? jsonLines(top) : await writer(checkpointSchema(columns), top);
  await putNew(store, path, content);
  return {
    paths: [path, ...sidecars.map(({ name }) => `${sidecarsFolder(table)}/${name}`)],
    hint: {
      version,
      size: top.length + rows.files.length,
      sizeInBytes: sidecars.reduce((sum, { size }) => sum + size, content.length),
      numOfAddFiles: rows.numOfAddFiles,
      v2Checkpoint: {
        path: path.slice(logFolder(table).length + 1),
        sizeInBytes: content.length,
        modificationTime: now,
      },
    },
  };
}

function jsonLines(rows: readonly Row[]): Uint8Array {
  return new TextEncoder().encode(rows.map((row) => `${formatJson(row as JsonObject)}\n`).join(""));
}

async function putNew(store: Store, path: string, content: Uint8Array): Promise<void> {
  if (!(await store.putIfAbsent(path, content))) throw new Error(`${path} is there, though its name is random`);
}
