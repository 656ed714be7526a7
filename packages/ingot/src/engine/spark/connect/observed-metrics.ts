import type { Value } from "../../engine.js";
import { formatBinary, formatDate, formatMicros } from "../../value-text.js";
import type { ExecutePlanResponse_ObservedMetrics as ObservedMetrics } from "./protocol/base_pb.js";
import type { Expression_Literal as Literal } from "./protocol/expressions_pb.js";
import { unsupportedType } from "./unsupported-type.js";

/** Aggregates that were computed while rows passed (`observe`), by name of the observation and of the aggregate. */
export type Observed = Readonly<Record<string, Readonly<Record<string, Value>>>>;

export function readObserved(answers: readonly { readonly observedMetrics: readonly ObservedMetrics[] }[]): Observed {
  const metrics = answers.flatMap(({ observedMetrics }) => observedMetrics);
  return Object.fromEntries(
    metrics.map(({ name, keys, values }) => [
      name,
      Object.fromEntries(
        keys.map((key, i) => {
          const value = values[i];
          return [key, value === undefined ? null : literalValue(key, value)];
        }),
      ),
    ]),
  );
}

function literalValue(key: string, { literalType }: Literal): Value {
  switch (literalType.case) {
    case "null":
      return null;
    case "boolean":
    case "byte":
    case "short":
    case "integer":
    case "string":
      return literalType.value;
    case "long":
      return String(literalType.value);
    case "decimal":
      return literalType.value.value;
    case "float":
    case "double":
      return Number.isFinite(literalType.value) ? literalType.value : String(literalType.value);
    case "binary":
      return formatBinary(literalType.value);
    case "date":
      return formatDate(literalType.value);
    case "timestamp":
    case "timestampNtz":
      return formatMicros(literalType.value);
    default:
      throw unsupportedType(key, literalType.case ?? "none");
  }
}
