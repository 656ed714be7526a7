import { hasBounds, lowerBound, upperBound } from "../files/bounds.js";
import type { TextMap } from "../log/actions.js";
import { formatJson, isObject, type Json, type JsonObject } from "../log/json.js";
import type { DataType, Field, StructType } from "../schema/schema.js";
import { typedText } from "./typed-values.js";

/** The columns of which a checkpoint tells statistics as structs, by physical name. */
export interface StatsColumns {
  /** Those that have least and greatest values. */
  readonly bounds: StructType;
  /** Those that have a count of nulls, all LONG. */
  readonly counts: StructType;
}

/**
 * The first leaf columns, 32 or as many as `delta.dataSkippingNumIndexedCols` says (-1: all). Where
 * `delta.dataSkippingStatsColumns` names columns, every column may have statistics.
 */
export function statsColumns(data: StructType, configuration: TextMap): StatsColumns {
  const named = configuration["delta.dataSkippingStatsColumns"] ?? undefined;
  const limit = named === undefined ? Number(configuration["delta.dataSkippingNumIndexedCols"] ?? 32) : -1;
  const leaves = { left: limit < 0 ? Number.POSITIVE_INFINITY : limit };
  const indexed = firstLeaves(data, leaves);
  return {
    bounds: leavesOf(indexed, hasBounds, undefined),
    counts: leavesOf(indexed, () => true, { kind: "long" }),
  };
}

function firstLeaves({ fields }: StructType, leaves: { left: number }): StructType {
  const kept: Field[] = [];
  for (const field of fields) {
    if (leaves.left <= 0) break;
    if (field.type.kind === "struct") kept.push({ ...field, type: firstLeaves(field.type, leaves) });
    else {
      leaves.left -= 1;
      kept.push(field);
    }
  }
  return { kind: "struct", fields: kept };
}

/** The leaves that are wanted, in the type that is given or their own; structs without any fall away. */
function leavesOf({ fields }: StructType, isWanted: (type: DataType) => boolean, as: DataType | undefined): StructType {
  return {
    kind: "struct",
    fields: fields.flatMap((field) => {
      if (field.type.kind !== "struct") return isWanted(field.type) ? [{ ...field, type: as ?? field.type }] : [];
      const type = leavesOf(field.type, isWanted, as);
      return type.fields.length === 0 ? [] : [{ ...field, type }];
    }),
  };
}

/** The `stats` text of a file as the struct `stats_parsed`; undefined when it is no statistics. */
export function statsRow(stats: string, { bounds, counts }: StatsColumns): Record<string, unknown> | undefined {
  const parsed = parseTexts(stats);
  if (!isObject(parsed)) return undefined;
  const { numRecords, tightBounds, minValues, maxValues, nullCount } = parsed;
  return {
    numRecords: typed({ kind: "long" }, numRecords),
    tightBounds,
    minValues: typed(bounds, minValues),
    maxValues: typed(bounds, maxValues),
    nullCount: typed(counts, nullCount),
  };
}

/**
 * The struct `stats_parsed` of a checkpoint as `stats` text; bounds that the text tells in milliseconds only are
 * widened to them. A reader of Parquet gives the values as `ParquetReader` says; what it gives otherwise is left out.
 */
export function statsText(row: JsonObject, { bounds, counts }: StatsColumns): string {
  const { numRecords, tightBounds, minValues, maxValues, nullCount } = row;
  const members = {
    numRecords: numRecords === undefined || numRecords === null ? undefined : formatJson(numRecords),
    minValues: boundsText(bounds, minValues, lowerBound),
    maxValues: boundsText(bounds, maxValues, upperBound),
    nullCount: boundsText(counts, nullCount, lowerBound),
    tightBounds: typeof tightBounds === "boolean" ? String(tightBounds) : undefined,
  };
  return objectText(Object.entries(members)) ?? "{}";
}

type Bound = (type: DataType, text: string) => string | undefined;

function boundsText({ fields }: StructType, values: Json | undefined, bound: Bound): string | undefined {
  if (!isObject(values)) return undefined;
  return objectText(
    fields.map(({ name, type }) => {
      const value = values[name];
      if (type.kind === "struct") return [name, boundsText(type, value, bound)];
      const isTold = typeof value === "string" || typeof value === "number" || typeof value === "bigint";
      return [name, isTold ? bound(type, String(value)) : undefined];
    }),
  );
}

function objectText(members: readonly (readonly [string, string | undefined])[]): string | undefined {
  const told = members.flatMap(([name, text]) => (text === undefined ? [] : [`${JSON.stringify(name)}:${text}`]));
  return told.length === 0 ? undefined : `{${told.join(",")}}`;
}

const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

/** JSON with all numbers as their digits, which a number of JavaScript may round; undefined when it is none. */
function parseTexts(json: string): Json | undefined {
  try {
    return JSON.parse(
      json.replace(STRING_OR_NUMBER, (token) => (token.startsWith('"') ? token : `"${token}"`)),
    ) as Json;
  } catch {
    return undefined;
  }
}

/** What is no value of its type, such as a NaN, is left out: it is no bound. */
function typed(type: DataType, value: Json | undefined): unknown {
  if (type.kind === "struct")
    return isObject(value)
      ? Object.fromEntries(type.fields.map(({ name, type: fieldType }) => [name, typed(fieldType, value[name])]))
      : undefined;
  const bound = typeof value === "string" ? typedText(type, value) : undefined;
  return Number.isNaN(bound) ? undefined : bound;
}
