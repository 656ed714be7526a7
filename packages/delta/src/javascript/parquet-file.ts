import type { FileMetaData, SchemaElement } from "hyparquet";
import { decompressors } from "../files/decompress.js";
import { leafKey, leavesOf } from "../files/schema-leaves.js";
import type { Store } from "../store/store.js";
import type { Chunk } from "./sound-pages.js";

/** A column of a Parquet file, or a part of one. */
export interface ParquetNode {
  /** With what the file says of its logical type. */
  readonly element: SchemaElement;
  readonly children: readonly ParquetNode[];
}

export interface ParquetFile {
  /** The top-level columns. */
  readonly columns: readonly ParquetNode[];
  /** Of each row group. */
  readonly rowCounts: readonly number[];
  readonly keyValues: ReadonlyMap<string, string>;
  /**
   * The rows of a row group by column, as they are stored: INT32 and floats as number, INT64 as bigint, INT96 as the
   * nanoseconds since the epoch, byte arrays as Uint8Array that may share memory; groups as objects, what repeats as
   * arrays, null as null or undefined.
   */
  readGroup(group: number, columns: readonly string[]): Promise<readonly Readonly<Record<string, unknown>>[]>;
}

/** Most footers are smaller, so that one read is enough. */
const FIRST_READ = 64 * 1024;
/** The length of the footer, and `PAR1`. */
const TAIL = 8;

/**
 * Opens a Parquet file by its footer. Only footer and wanted columns are read.
 *
 * Rejects with what the store throws, UnknownCodec, and with a plain Error when the file is damaged.
 */
export async function openParquet(store: Store, path: string): Promise<ParquetFile> {
  const [{ parquetMetadata, parquetReadObjects, parquetSchema }, { parquetPlan }, { assertSoundPages }] =
    await Promise.all([import("hyparquet"), import("hyparquet/src/plan.js"), import("./sound-pages.js")]);
  const metadata = parquetMetadata(await readFooter(store, path), { geoparquet: false });
  const compressors = await decompressors();
  assertCodecs(metadata, ["UNCOMPRESSED", "SNAPPY", ...Object.keys(compressors)]);
  const starts = metadata.row_groups.map(({ num_rows }) => Number(num_rows));
  const raw: FileMetaData = { ...metadata, schema: metadata.schema.map(withoutLogicalType) };
  const tree = parquetSchema(metadata);
  const leaves = new Map(leavesOf([tree]).map((path) => [leafKey(path.at(-1)?.path ?? []), path]));
  return {
    columns: tree.children,
    rowCounts: starts,
    keyValues: new Map(metadata.key_value_metadata?.map(({ key, value }) => [key, value ?? ""])),
    async readGroup(group, columns) {
      const rowStart = starts.slice(0, group).reduce((sum, count) => sum + count, 0);
      const count = starts[group] ?? 0;
      if (columns.length === 0) return Array.from({ length: count }, () => ({}));
      const wanted = { metadata: raw, columns: [...columns], rowStart, rowEnd: rowStart + count, compressors };
      const names = new Set(columns);
      const chunks = (raw.row_groups[group]?.columns ?? []).flatMap(({ meta_data: meta }) => {
        if (meta === undefined || !names.has(meta.path_in_schema[0] ?? "")) return [];
        const path = leaves.get(leafKey(meta.path_in_schema));
        if (path === undefined) throw new Error(`${meta.path_in_schema.join(".")} is not in the schema`);
        return [{ meta, path, rows: count, compressors }];
      });
      const { fetches } = parquetPlan({ ...wanted, file: { byteLength: 0, slice: () => new ArrayBuffer() } });
      const rows = await parquetReadObjects({
        ...wanted,
        file: await fetched(store, path, fetches, (at) => {
          for (const chunk of chunks) assertSoundPages(at(...placeOf(chunk)), chunk);
        }),
        utf8: false,
        // Made for dates of JavaScript, which have no nanoseconds; given through as they are.
        parsers: { timestampFromNanoseconds: (nanos: bigint) => nanos as unknown as Date },
      });
      if (rows.length !== count) throw new Error(`row group ${group} has ${rows.length} rows, and the footer ${count}`);
      return rows;
    },
  };
}

interface Range {
  readonly startByte: number;
  readonly endByte: number;
}

/**
 * The ranges of a file that hyparquet is going to ask for, in memory, when the check has passed. A range that it waits
 * for itself may fail when it waits for another one, and a failure that nobody waits for ends the process.
 */
async function fetched(
  store: Store,
  path: string,
  ranges: readonly Range[],
  check: (at: (start: number, end: number) => Uint8Array) => void,
) {
  const read = async ({ startByte, endByte }: Range) => {
    const bytes = await store.read(path, { offset: startByte, length: endByte - startByte });
    if (bytes.length !== endByte - startByte)
      throw new Error(`the file ends at ${startByte + bytes.length}, before ${endByte}`);
    return { startByte, endByte, content: toArrayBuffer(bytes) };
  };
  const contents = await Promise.all(ranges.map(read));
  const at = (start: number, end: number): Uint8Array<ArrayBuffer> => {
    const range = contents.find(({ startByte, endByte }) => startByte <= start && start <= end && end <= endByte);
    if (range === undefined) throw new Error(`no column stands at ${start} to ${end}`);
    return new Uint8Array(range.content, start - range.startByte, end - start);
  };
  check(at);
  // Every range is known from the footer; the length of the file is of no use.
  return {
    byteLength: Number.MAX_SAFE_INTEGER,
    slice: (start: number, end = Number.MAX_SAFE_INTEGER) => toArrayBuffer(at(start, end)),
  };
}

function placeOf({ meta }: Chunk): [start: number, end: number] {
  const start = Number(meta.dictionary_page_offset || meta.data_page_offset);
  return [start, start + Number(meta.total_compressed_size)];
}

/** A codec that is not at hand: the file is whole, and another reader knows it. */
export class UnknownCodec extends Error {
  override readonly name = "UnknownCodec";
}

function assertCodecs({ row_groups }: FileMetaData, known: readonly string[]): void {
  const codecs = new Set(
    row_groups.flatMap(({ columns }) => columns.flatMap(({ meta_data }) => meta_data?.codec ?? [])),
  );
  for (const codec of codecs) if (!known.includes(codec)) throw new UnknownCodec(`it is compressed by ${codec}`);
}

/** Conversions of hyparquet go through floating-point numbers and Date; without a logical type it makes none. */
function withoutLogicalType({ converted_type: _converted, logical_type: _logical, ...element }: SchemaElement) {
  return element;
}

async function readFooter(store: Store, path: string): Promise<ArrayBuffer> {
  const bytes = await store.read(path, { offset: -FIRST_READ });
  if (bytes.length < TAIL) throw new Error("it is no Parquet file");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = view.getUint32(bytes.length - TAIL, true) + TAIL;
  return toArrayBuffer(length <= bytes.length ? bytes : await store.read(path, { offset: -length }));
}

function toArrayBuffer(bytes: Uint8Array): ArrayBuffer {
  if (bytes.buffer instanceof ArrayBuffer && bytes.length === bytes.buffer.byteLength) return bytes.buffer;
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
}
