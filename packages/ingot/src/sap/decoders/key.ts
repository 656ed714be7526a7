import { argumentAt, type Decoder, numberOf } from "./decoder.js";
import { matches } from "./pattern.js";

/** Longest text of a material number in S/4HANA. */
const LONGEST_MATERIAL = 40;
/** A number that a spreadsheet has rounded: its last digits are lost. */
const SCIENTIFIC = "[0-9](?:[.,][0-9]+)?[eE][+][0-9]+";

/** A key in SAP's own form: digits alone are padded with zeros, anything else stays. Texts of other length are malformed. */
function keySql(sql: string, length: number, longest = length): string {
  const text = `trim(${sql})`;
  const significant = `trim(LEADING '0' FROM ${text})`;
  const fits = `length(${significant}) <= ${length} THEN lpad(${significant}, ${length}, '0')`;
  return `CASE WHEN ${matches(text, "[0-9]+")} AND ${fits} WHEN ${matches(text, SCIENTIFIC)} THEN NULL WHEN length(${text}) <= ${longest} THEN ${text} END`;
}

export const ALPHA: Decoder = {
  values: [{ name: "value", takes: ["text", "digits"] }],
  constants: [{ name: "length", type: "number", required: true }],
  reason: "INVALID_PRIMARY_KEY",
  does: "a key with conversion ALPHA in its internal form: digits alone padded with zeros to the length",
  decode: (use) => {
    const { sql } = argumentAt(use);
    return {
      value: keySql(sql, numberOf(use, "length", 1, 70)),
      nothing: `${sql} IS NULL`,
    };
  },
};

/** Material numbers of digits alone have 18 of them, also within the 40 characters of S/4HANA, but for long numbers. */
export const MATN1: Decoder = {
  values: [{ name: "value", takes: ["text", "digits"] }],
  constants: [{ name: "length", type: "number" }],
  bySource: true,
  reason: "INVALID_PRIMARY_KEY",
  does: "a material number in its internal form: digits alone padded to 18, or to 40 where long numbers are in use",
  decode: (use) => {
    const { sql } = argumentAt(use);
    const length = use.numbers["length"] === undefined ? use.source.materials : numberOf(use, "length", 18, 40);
    const longest = use.source.release === "s4" ? LONGEST_MATERIAL : length;
    return { value: keySql(sql, length, longest), nothing: `${sql} IS NULL` };
  },
};

/** NUMC holds digits alone; its initial value is all zeros. */
export const NUMC: Decoder = {
  values: [{ name: "value", takes: ["text", "whole", "decimal", "floating"] }],
  constants: [{ name: "length", type: "number", required: true }],
  reason: "MALFORMED_NUMC",
  does: "NUMC, also one that lost its zeros or came as a number, padded with zeros to the length",
  decode: (use) => {
    const { sql } = argumentAt(use);
    const length = numberOf(use, "length", 1, 255);
    const text = `trim(CAST(${sql} AS STRING))`;
    const significant = `trim(LEADING '0' FROM split_part(${text}, '.', 1))`;
    return {
      value: `CASE WHEN ${matches(text, "[0-9]*(?:[.]0+)?")} AND length(${significant}) <= ${length} THEN lpad(${significant}, ${length}, '0') END`,
      nothing: `${sql} IS NULL`,
    };
  },
};
