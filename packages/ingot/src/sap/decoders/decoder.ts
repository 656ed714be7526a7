import type { DataType } from "../../model/data-type.js";
import type { SourceConventions } from "../conventions.js";
import type { Reason } from "./reasons.js";

/**
 * Reads values as SAP and its extractors write them. A decoder is an expression of Spark SQL, made of the texts of its
 * arguments, so that every engine computes the same.
 */
export interface Decoder {
  /** Arguments that a row gives. */
  readonly values: readonly ValueParameter[];
  /** Arguments that stand in the query's text, after the values. */
  readonly constants: readonly ConstantParameter[];
  /** Whether the conventions of a source decide, so that a call may name it: `source => 'ECC'`. */
  readonly bySource?: true;
  /** Whether it changes what it has read already. */
  readonly once?: true;
  /** What is wrong with a malformed value. */
  readonly reason: Reason;
  /** One line for the reference. */
  readonly does: string;
  /** @throws DecoderFault where the constants do not fit */
  readonly decode: (use: DecoderUse) => Decoded;
}

/** What a decoder reads: `digits` is a whole number that is taken as its text, `whole` one that stays a number. */
export type ValueKind = "text" | "digits" | "whole" | "decimal" | "floating" | "binary" | "boolean";

export interface ValueParameter {
  readonly name: string;
  readonly takes: readonly ValueKind[];
}

export interface ConstantParameter {
  readonly name: string;
  readonly type: "text" | "number";
  readonly required?: true;
}

export interface DecoderValue {
  readonly sql: string;
  readonly type: DataType;
  /** The text itself, where the call gives a constant one. */
  readonly text?: string;
  /** The same of a whole number. */
  readonly number?: number;
}

/** One use of a decoder. */
export interface DecoderUse {
  /** Spark SQL of the values; each is written more than once. What is no number is a STRING or BINARY. */
  readonly values: readonly DecoderValue[];
  /** The constants that are there, by name. */
  readonly texts: Readonly<Record<string, string>>;
  readonly numbers: Readonly<Record<string, number>>;
  /** The source that the call names, or the only one. Asked for where it decides: reading it fails where many are declared. */
  readonly source: SourceConventions;
}

export interface Decoded {
  /** Spark SQL of the value: NULL where there is none and where the argument is malformed. Raises nothing. */
  readonly value: string;
  /** Spark SQL of a condition, never NULL: there is nothing to read, and NULL is the value. */
  readonly nothing: string;
}

/** The constants of a call do not fit: which, and what to write. */
export class DecoderFault extends Error {
  readonly hint: string;
  /** Name of the parameter. */
  readonly parameter: string;

  constructor(message: string, hint: string, parameter: string) {
    super(message);
    this.hint = hint;
    this.parameter = parameter;
  }
}

/** A parameter that the arity promises. */
export function argumentAt(use: DecoderUse, index = 0): DecoderValue {
  const value = use.values[index];
  if (value === undefined) throw new Error(`a decoder has no value ${index + 1}`);
  return value;
}

/** A whole number between two bounds. @throws DecoderFault */
export function numberOf(use: DecoderUse, name: string, least: number, most: number): number {
  const value = use.numbers[name];
  if (value !== undefined && value >= least && value <= most) return value;
  throw new DecoderFault(`${name} is a number from ${least} to ${most}`, "Write it as a constant.", name);
}

/** Precision and scale of a DECIMAL. @throws DecoderFault */
export function decimalOf(use: DecoderUse): { readonly precision: number; readonly scale: number } {
  const precision = numberOf(use, "precision", 1, 38);
  return { precision, scale: numberOf(use, "scale", 0, precision) };
}
