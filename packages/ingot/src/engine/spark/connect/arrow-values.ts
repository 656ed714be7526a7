import { type Data, tableFromIPC } from "apache-arrow";
import type { DataType, Field } from "../../../model/data-type.js";
import type { Value } from "../../engine.js";
import { formatBinary, formatDate, formatMicros } from "../../value-text.js";
import { fieldOfArrow } from "./arrow-types.js";

export interface Rows {
  readonly columns: readonly Field[];
  readonly rows: readonly (readonly Value[])[];
}

/**
 * Rows of a complete Arrow stream, exact: read from its buffers, since Arrow's own accessors round timestamps to
 * milliseconds and forget the scale of decimals. The values have the form of `engine/duckdb/values.ts`.
 *
 * @throws IngotError NOT_SUPPORTED as `fieldOfArrow`
 */
export function readArrow(stream: Uint8Array): Rows {
  const table = tableFromIPC(stream);
  const columns = table.schema.fields.map((field) => fieldOfArrow(field));
  const rows = table.batches.flatMap(({ data, numRows }) => {
    const readers = columns.map(({ type }, i) => readerOf(child(data, i), type));
    return Array.from({ length: numRows }, (_, row) => readers.map((read) => read(row)));
  });
  return { columns, rows };
}

type Reader = (row: number) => Value;

function readerOf(data: Data, type: DataType): Reader {
  const read = presentReader(data, type);
  return data.nullCount === 0 ? read : (row) => (data.getValid(row) ? read(row) : null);
}

function presentReader(data: Data, type: DataType): Reader {
  const { values } = data;
  switch (type.kind) {
    case "void":
      return () => null;
    case "boolean":
      return (row) => ((values[row >> 3] >> (row & 7)) & 1) === 1;
    case "tinyint":
    case "smallint":
    case "int":
      return (row) => values[row];
    case "bigint":
      return (row) => String(values[row]);
    case "float":
    case "double":
      return (row) => (Number.isFinite(values[row]) ? values[row] : String(values[row]));
    case "decimal":
      return (row) => formatDecimal(integer128(values, row), type.scale);
    case "string":
      return (row) => TEXT.decode(slice(data, row));
    case "binary":
      return (row) => formatBinary(slice(data, row));
    case "date":
      return (row) => formatDate(values[row]);
    case "timestamp":
    case "timestamp_ntz":
      return (row) => formatMicros(values[row]);
    case "array": {
      const element = readerOf(child(data, 0), type.element);
      return (row) => range(data, row).map(element);
    }
    case "map": {
      const entries = child(data, 0);
      const [key, value] = [readerOf(child(entries, 0), type.key), readerOf(child(entries, 1), type.value)];
      return (row) => range(data, row).map((entry) => [key(entry), value(entry)]);
    }
    case "struct": {
      const fields = type.fields.map((field, i) => [field.name, readerOf(child(data, i), field.type)] as const);
      return (row) => Object.fromEntries(fields.map(([name, read]) => [name, read(row)]));
    }
    default:
      throw new Error(`no reader of ${type.kind}`);
  }
}

const TEXT = new TextDecoder("utf-8", { ignoreBOM: true });

function child(data: Data, place: number): Data {
  const found = data.children[place];
  if (found === undefined) throw new Error(`Arrow data without the child ${place}`);
  return found;
}

function slice(data: Data, row: number): Uint8Array {
  return data.values.subarray(data.valueOffsets[row], data.valueOffsets[row + 1]);
}

/** Places of a list's elements in the data of its child. */
function range(data: Data, row: number): number[] {
  const start = Number(data.valueOffsets[row]);
  return Array.from({ length: Number(data.valueOffsets[row + 1]) - start }, (_, i) => start + i);
}

/** The two's complement of 128 bits in four words, the lowest first. */
function integer128(words: Uint32Array, row: number): bigint {
  const word = (i: number) => BigInt(words[row * 4 + i] ?? 0) << BigInt(32 * i);
  return BigInt.asIntN(128, word(0) | word(1) | word(2) | word(3));
}

function formatDecimal(unscaled: bigint, scale: number): string {
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, "0");
  const sign = unscaled < 0n ? "-" : "";
  return scale === 0 ? sign + digits : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}
