import { sameType } from "../../model/data-type.js";
import { sqlText } from "../../model/position.js";
import { DECODERS } from "../../sap/decoders/all.js";
import {
  type Decoded,
  type Decoder,
  DecoderFault,
  type DecoderUse,
  type DecoderValue,
} from "../../sap/decoders/decoder.js";
import { FORMS, type Form, functionName } from "../../sap/decoders/forms.js";
import type { ExpansionValue, Place } from "../bind/bind-place.js";
import type { Bound } from "../bind/bound.js";
import { combineOrigins, NO_ORIGINS, trueAmountOrigins } from "../bind/origins.js";
import { once } from "../lower/lower-once.js";
import type { Expression, Literal } from "../parse/ast.js";
import { parseAlone } from "../parse/parse-alone.js";
import { arg, type Functions, type Lowered, type SparkFunction, scalar, type Use } from "./function.js";
import { constantsOf, decoderUse, invalidArgument, valueFor } from "./sap-arguments.js";

const LEFT_OUT: Literal = { kind: "literal", at: 0, type: "null", value: "NULL" };
/** Expressions by their text: columns that are read alike share one. */
const parsed = new Map<string, Expression>();

/** Each decoder under three names: strict, lenient, and the reason for what is malformed. */
export const SAP_FUNCTIONS: Functions = Object.fromEntries(
  Object.entries(DECODERS).flatMap(([name, decoder]) =>
    (Object.keys(FORMS) as Form[]).map((form) => [functionName(name, form), decoderFunction(name, decoder, form)]),
  ),
);

function decoderFunction(name: string, decoder: Decoder, form: Form): SparkFunction {
  const constants = constantsOf(decoder);
  const required = decoder.values.length + decoder.constants.filter((c) => c.required === true).length;
  return {
    ...scalar(required, decoder.values.length + constants.length, (use) => bindDecoder(use, name, decoder, form)),
    parameters: [
      ...decoder.values.map((value) => [value.name] as const),
      ...constants.map((c) => (c.required === true ? ([c.name] as const) : ([c.name, LEFT_OUT] as const))),
    ],
  };
}

/**
 * The decoder's Spark SQL over the values, which stand in it as variables, bound as if it were the user's.
 *
 * @throws IngotError SAP_SOURCE_NOT_FOUND, INVALID_SAP_ARGUMENT, DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE
 */
function bindDecoder(use: Use, name: string, decoder: Decoder, form: Form): Lowered {
  if (decoder.once === true) refuseTwice(use);
  const values = decoder.values.map(({ takes }, i) => valueFor(use, i, takes));
  const names = values.map((_, i) => `sap_value_${i}`);
  const typed = values.map(({ type, literal }, i) => ({ sql: names[i] ?? "", type, ...constantOf(literal) }));
  const decoded = decode(use, decoder, decoderUse(use, decoder, typed));
  const shown = values[0]?.type.kind === "binary" ? `hex(${names[0]})` : `left(CAST(${names[0]} AS STRING), 40)`;
  const text = FORMS[form](decoded, decoder, functionName(name, form), shown);
  use.place.binder.expansions.set(use.call.at, { text, values: values.map((value, i) => writtenValue(use, i, value)) });
  let bound: Bound | undefined;
  const sql = once(values, (...operands) => {
    const variables = operands.map((operand, i) => ({ ...operand, name: names[i] ?? "" }));
    bound = bindText(use.place, text, variables, use.call.at);
    return bound.sql;
  });
  if (bound === undefined) throw new Error("unreachable: `once` has called");
  return {
    sql,
    type: bound.type,
    nullable: true,
    throws: bound.throws,
    ...(decoder.once === true && form !== "reason"
      ? { origins: trueAmountOrigins(combineOrigins(use.args, bound.type)) }
      : {}),
  };
}

function constantOf(literal: Bound["literal"]): Pick<DecoderValue, "text" | "number"> {
  if (literal?.type === "string") return { text: literal.value };
  return literal?.type === "number" && /^\d{1,9}$/.test(literal.value) ? { number: Number(literal.value) } : {};
}

function writtenValue(use: Use, index: number, { type }: Bound): ExpansionValue {
  const written = arg(use, index);
  return { at: written.at, ...(sameType(written.type, type) ? {} : { type }) };
}

function decode(use: Use, decoder: Decoder, decoderUse: DecoderUse): Decoded {
  try {
    return decoder.decode(decoderUse);
  } catch (error) {
    if (!(error instanceof DecoderFault)) throw error;
    const place = [...decoder.values, ...constantsOf(decoder)].findIndex((p) => p.name === error.parameter);
    throw invalidArgument(use, use.args[place]?.at ?? use.call.at, `${use.call.name}: ${error.message}`, error.hint);
  }
}

/** @throws IngotError INVALID_SAP_ARGUMENT for a value that it gave, here or in a query or table before */
function refuseTwice(use: Use): void {
  const { origins, at } = arg(use, 0);
  if (origins.trueAmount !== true) return;
  throw invalidArgument(
    use,
    at,
    `${use.call.name} is applied twice: the amount is in its true value already`,
    "Take it as it is, or give the amount that SAP stores.",
  );
}

/** An expression whose names are these values, read at the place of a call. */
function bindText(
  place: Place,
  text: string,
  values: readonly (Pick<Bound, "sql" | "type" | "nullable"> & { readonly name: string })[],
  at: number,
): Bound {
  const { binder } = place;
  return binder.bind(
    {
      ...place,
      binder: { ...binder, expansions: new Map(), locate: () => binder.locate(at) },
      scope: {
        columns: [],
        aliases: new Map(),
        variables: values.map((value) => ({ ...value, qualifier: [], origins: NO_ORIGINS })),
      },
      aggregates: false,
      windows: false,
      filter: false,
    },
    parseOnce(text),
  );
}

function parseOnce(text: string): Expression {
  const expression = parsed.get(text) ?? parseAlone(sqlText(text));
  parsed.set(text, expression);
  return expression;
}
