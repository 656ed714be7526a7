import { type Field, formatType } from "../../model/data-type.js";
import { quoteText } from "../../sql/lower/lower-text.js";

/** univocity's limit, which Spark leaves as it is: a longer record is an error there too. */
const MAX_FIELDS = 20_480;

/** True where a record has another number of fields, or a field that did not convert. As SQL, over the names of csv.ts. */
export function isMisfit(fields: readonly Field[]): string {
  const tooLong = quoteText(`[MALFORMED_RECORD] A record has more than ${MAX_FIELDS} fields; Spark refuses it too.`);
  const isOtherCount = `(found <> ${fields.length} AND (found <= ${MAX_FIELDS} OR error(${tooLong})::BOOLEAN))`;
  return [isOtherCount, ...fields.flatMap((field, i) => isUnconverted(field, i) ?? [])].join(" OR ");
}

/** What is wrong with a record that does not fit, for people; its first fault. */
export function misfitReason(fields: readonly Field[]): string {
  const faults = fields.flatMap((field, i) => {
    const what = `column ${field.name} ${formatType(field.type)} cannot hold `;
    const test = isUnconverted(field, i);
    return test === undefined ? [] : `WHEN ${test} THEN ${quoteText(what)} || t${i}`;
  });
  const count = `WHEN found <> ${fields.length} THEN ${quoteText(`it should have ${fields.length} fields and has `)} || found`;
  return `CASE ${[count, ...faults].join(" ")} END`;
}

/** Undefined for types that take every text. */
function isUnconverted({ type }: Field, index: number): string | undefined {
  const takesAll = type.kind === "string" || type.kind === "binary";
  return takesAll ? undefined : `(t${index} IS NOT NULL AND v${index} IS NULL)`;
}
