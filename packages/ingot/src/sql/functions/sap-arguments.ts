import type { DataType } from "../../model/data-type.js";
import { SAP_DEFAULTS, type SourceConventions } from "../../sap/conventions.js";
import type { ConstantParameter, Decoder, DecoderUse, ValueKind } from "../../sap/decoders/decoder.js";
import { coerce, fail } from "../bind/bind-place.js";
import type { Bound } from "../bind/bound.js";
import { INT, isDecimal, isFloating, isInteger, STRING } from "../bind/type-rules.js";
import { arg, mismatch, type Use } from "./function.js";

interface Kind {
  readonly fits: (type: DataType) => boolean;
  readonly name: string;
}

const KINDS: Readonly<Record<ValueKind, Kind>> = {
  text: { fits: (type) => type.kind === "string", name: "STRING" },
  digits: { fits: isInteger, name: "whole numbers" },
  whole: { fits: isInteger, name: "whole numbers" },
  decimal: { fits: isDecimal, name: "DECIMAL" },
  floating: { fits: isFloating, name: "DOUBLE" },
  binary: { fits: (type) => type.kind === "binary", name: "BINARY" },
  boolean: { fits: (type) => type.kind === "boolean", name: "BOOLEAN" },
};

const SOURCE: ConstantParameter = { name: "source", type: "text" };

/** All constants that a call may have. */
export function constantsOf({ constants, bySource }: Decoder): readonly ConstantParameter[] {
  return bySource === true ? [...constants, SOURCE] : constants;
}

/** An argument as the decoder takes it. */
export function valueFor(use: Use, index: number, takes: readonly ValueKind[]): Bound {
  const bound = arg(use, index);
  const { type } = bound;
  if (type.kind === "void") return coerce(use.place, bound, takes.includes("whole") ? INT : typeOf(takes));
  if (isInteger(type) && takes.includes("digits")) return coerce(use.place, bound, STRING);
  if (takes.some((kind) => KINDS[kind].fits(type))) return bound;
  throw mismatch(use, bound, takes.map((kind) => KINDS[kind].name).join(" or "));
}

/** The type of a bare NULL. */
function typeOf(takes: readonly ValueKind[]): DataType {
  return takes.includes("text") ? STRING : { kind: "decimal", precision: 1, scale: 0 };
}

/** What a decoder is told of one call. @throws IngotError INVALID_SAP_ARGUMENT for what is no constant */
export function decoderUse(use: Use, decoder: Decoder, values: DecoderUse["values"]): DecoderUse {
  const texts: Record<string, string> = {};
  const numbers: Record<string, number> = {};
  for (const [i, { name, type }] of constantsOf(decoder).entries()) {
    const bound = use.args[decoder.values.length + i];
    if (bound === undefined || bound.literal?.type === "null") continue;
    const { literal } = bound;
    if (type === "text" && literal?.type === "string") texts[name] = literal.value;
    else if (type === "number" && literal?.type === "number" && /^\d{1,9}$/.test(literal.value))
      numbers[name] = Number(literal.value);
    else
      throw invalidArgument(
        use,
        bound.at,
        `${name} of ${use.call.name} is a constant ${type}`,
        `Write ${type === "text" ? "a text in quotes" : "a whole number"}.`,
      );
  }
  return {
    values,
    texts,
    numbers,
    get source() {
      return sourceOf(use, texts["source"]);
    },
  };
}

/** @throws IngotError SAP_SOURCE_NOT_FOUND */
function sourceOf(use: Use, name: string | undefined): SourceConventions {
  const { sources } = use.place.binder;
  const known = [...sources.keys()];
  const [only, another] = [...sources.values()];
  const found =
    name === undefined ? (another === undefined ? (only ?? SAP_DEFAULTS) : undefined) : sources.get(name.toLowerCase());
  if (found !== undefined) return found;
  throw fail(
    use.place,
    use.call.at,
    "SAP_SOURCE_NOT_FOUND",
    name === undefined
      ? `${use.call.name} does not say from which source its value is`
      : `The spec declares no source ${name}`,
    known.length === 0
      ? "Declare it in the spec, under `sources`."
      : `Write source => '${known[0]}'; the spec declares ${known.join(", ")}.`,
    name ?? use.call.name,
  );
}

export function invalidArgument(use: Use, at: number, message: string, hint: string) {
  return fail(use.place, at, "INVALID_SAP_ARGUMENT", message, hint, use.call.name);
}
