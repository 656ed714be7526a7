import type { Decoded, Decoder } from "./decoder.js";

/** What a call of a decoder gives, as Spark SQL. */
export const FORMS = {
  /** The value; a malformed one stops the query with its reason. */
  strict: (decoded: Decoded, { reason }: Decoder, name: string, shown: string): string => {
    const message = `concat('[${reason}] ${name} cannot read: ', coalesce(${shown}, 'NULL'))`;
    return `coalesce(${decoded.value}, CASE WHEN NOT (${decoded.nothing}) THEN raise_error(${message}) END)`;
  },
  /** The value; NULL for a malformed one. */
  lenient: (decoded: Decoded): string => decoded.value,
  /** Why the value is malformed; NULL where it is not. */
  reason: (decoded: Decoded, { reason }: Decoder): string =>
    `CASE WHEN (${decoded.value}) IS NULL AND NOT (${decoded.nothing}) THEN '${reason}' END`,
} as const;

export type Form = keyof typeof FORMS;

/** `sap_date`, `try_sap_date`, `sap_date_reason` */
export function functionName(decoder: string, form: Form): string {
  return form === "strict" ? `sap_${decoder}` : form === "lenient" ? `try_sap_${decoder}` : `sap_${decoder}_reason`;
}
