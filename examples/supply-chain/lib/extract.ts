/**
 * What silver reads of an extract, as `field type, field type, …`. Names are those of the extract, cleaned. Types:
 *
 * | type | as SAP | becomes |
 * |---|---|---|
 * | none | CHAR, LANG | STRING; blank is NULL, in a key with `?` `''` |
 * | `unit`, `currency` | UNIT, CUKY | the same; silver.uom and silver.currency have all that there are |
 * | `alpha10`, `matnr`, `numc5` | keys | STRING in internal form, with their zeros |
 * | `date` | DATS | DATE; initial is NULL |
 * | `day` | DATS | the same; silver.date begins before the first and ends behind the last of them |
 * | `quantity` | QUAN 13.3 | DECIMAL(13,3); blank is 0 |
 * | `amount` | CURR 13.2 | DECIMAL(15,2), as SAP stores it; blank is 0 |
 * | `decimal9.5` | DEC | DECIMAL(9,5); blank is NULL |
 * | `integer` | DEC, INT | INT; blank is NULL |
 * | `flag` | XFLAG | BOOLEAN |
 * | `period` | | INT, year × 100 + month |
 *
 * A field with `?` may be blank in its key.
 */
export interface Extract {
  /** The key beside the client. */
  readonly key: string;
  readonly fields: string;
  /** The client's field: default `mandt`; null where the table has none. */
  readonly client?: "mandant" | null;
  /** The language's field, of a table of texts: it gives one row a key, in the language that is wanted. */
  readonly language?: "spras" | "sprache";
  /** The extract adds texts and details: where it is missing they are NULL. Without one of the others nothing is computed. */
  readonly optional?: true;
}

export interface Field {
  readonly name: string;
  readonly type: string;
  /** Of a key: may be blank. */
  readonly isOptional: boolean;
}

export function readFields(list: string): Field[] {
  return list.split(",").map((text) => {
    const [given = "", type = "text"] = text.trim().split(/\s+/);
    return { name: given.replace("?", ""), type, isOptional: given.endsWith("?") };
  });
}

/** The key's fields and the others. */
export function allFields({ key, fields }: Extract): Field[] {
  return [...readFields(key), ...readFields(fields)];
}

/** Undefined where the table has no client. */
export function clientField({ client }: Extract): string | undefined {
  return client === null ? undefined : (client ?? "mandt");
}

/** Columns that a file may lack without harm, as a schema: they are NULL. */
export function optionalColumns(extract: Extract): string {
  const client = clientField(extract);
  const names = [...(client === undefined ? [] : [client]), ...readFields(extract.fields).map(({ name }) => name)];
  return names.map((name) => `${name} STRING`).join(", ");
}
