import type { DataType } from "../../model/data-type.js";
import { coerce, describe } from "../bind/bind-place.js";
import { extractField } from "../bind/bind-scope.js";
import type { Bound } from "../bind/bound.js";
import { BIGINT, DOUBLE, INT, isDecimal, STRING } from "../bind/type-rules.js";
import { once } from "../lower/lower-once.js";
import { castTo } from "../lower/lower-text.js";
import { type Functions, type Lowered, type SparkFunction, scalar, type Use, unsupportedForm } from "./function.js";
import {
  DECIMAL_BYTES,
  DOUBLE_BITS,
  FLOAT_BITS,
  MURMUR_BYTES,
  MURMUR_INT,
  MURMUR_LONG,
  XXHASH_BYTES,
  XXHASH_INT,
  XXHASH_LONG,
} from "./host/hash.js";
import { callHost, type HostFunction } from "./host/host-function.js";

interface Hash {
  readonly int: HostFunction;
  readonly long: HostFunction;
  readonly bytes: HostFunction;
  readonly type: DataType;
}

export const HASHES: Functions = {
  hash: hash({ int: MURMUR_INT, long: MURMUR_LONG, bytes: MURMUR_BYTES, type: INT }),
  xxhash64: hash({ int: XXHASH_INT, long: XXHASH_LONG, bytes: XXHASH_BYTES, type: BIGINT }),
};

/** The hash of each argument is the seed of the next one, the first is 42; NULL leaves the seed. */
function hash(kind: Hash): SparkFunction {
  return scalar(1, 256, (use): Lowered => {
    const sql = use.args.reduce((seed, value) => hashOf(use, kind, value, seed), castTo("42", kind.type));
    return { sql, type: kind.type, nullable: false };
  });
}

function hashOf(use: Use, kind: Hash, value: Bound, seed: string): string {
  const { type } = value;
  if (type.kind === "void") return seed;
  if (type.kind === "array") {
    const element = hashOf(use, kind, { ...value, sql: "e['x']", type: type.element }, "s['h']");
    const none = castTo("NULL", type.element);
    const pairs = `list_transform(${value.sql}, lambda x: {'h': ${castTo("0", kind.type)}, 'x': x})`;
    const folded = `list_reduce(${pairs}, lambda s, e: {'h': ${element}, 'x': ${none}}, {'h': ${seed}, 'x': ${none}}).h`;
    return `(CASE WHEN ${value.sql} IS NULL THEN ${seed} ELSE ${folded} END)`;
  }
  if (type.kind === "struct")
    return type.fields.reduce(
      (s, field) => hashOf(use, kind, { ...value, sql: extractField(value.sql, field), type: field.type }, s),
      seed,
    );
  if (type.kind === "map")
    throw unsupportedForm(use, `${use.call.name} of ${describe(type)}`, "Hash its parts.", value.at);
  return once([{ sql: seed, volatile: false }], (s) => `coalesce(${atomicHash(use, kind, value, s.sql)}, ${s.sql})`);
}

function atomicHash(use: Use, kind: Hash, value: Bound, seed: string): string {
  const { sql, type } = value;
  switch (type.kind) {
    case "boolean":
    case "tinyint":
    case "smallint":
    case "int":
      return callHost(kind.int, castTo(sql, INT), seed);
    case "bigint":
      return callHost(kind.long, sql, seed);
    case "date":
      return callHost(kind.int, castTo(`(${sql} - DATE '1970-01-01')`, INT), seed);
    case "timestamp":
    case "timestamp_ntz":
      return callHost(kind.long, `epoch_us(${sql})`, seed);
    case "double":
      return callHost(kind.long, callHost(DOUBLE_BITS, sql), seed);
    case "float":
      return callHost(kind.int, callHost(FLOAT_BITS, castTo(sql, DOUBLE)), seed);
    case "string":
      return callHost(kind.bytes, `encode(${sql})`, seed);
    case "binary":
      return callHost(kind.bytes, sql, seed);
    default: {
      if (!isDecimal(type)) throw unsupportedForm(use, `${use.call.name} of ${describe(type)}`, "Cast it.", value.at);
      const text = coerce(use.place, value, STRING).sql;
      const digits = `replace(${text}, '.', '')`;
      return type.precision <= 18
        ? callHost(kind.long, castTo(digits, BIGINT), seed)
        : callHost(kind.bytes, callHost(DECIMAL_BYTES, text), seed);
    }
  }
}
