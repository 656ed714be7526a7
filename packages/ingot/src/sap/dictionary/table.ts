/** A table as one release has it. */
export interface DictionaryTable {
  readonly name: string;
  readonly description: string;
  /** What a user of the table must know. */
  readonly note?: string;
  /** In the order of the dictionary, the key first. */
  readonly fields: readonly DictionaryField[];
}

export interface DictionaryField {
  readonly name: string;
  /** Data type of the ABAP dictionary: CHAR, NUMC, DATS, CURR, …. */
  readonly type: string;
  /** Characters of a text, digits of a number; undefined where the type says it all. */
  readonly length?: number;
  readonly decimals?: number;
  readonly key: boolean;
  /** The field with the currency or the unit. */
  readonly reference?: FieldReference;
  readonly description?: string;
  /** Fixed values of its domain. */
  readonly values?: readonly DomainValue[];
}

export interface FieldReference {
  /** Left out where it is the table itself. */
  readonly table?: string;
  readonly field: string;
}

export interface DomainValue {
  readonly value: string;
  readonly text: string;
}

/** A table in the form that both releases are made of. */
export interface TableEntry extends Omit<DictionaryTable, "fields"> {
  readonly fields: readonly FieldEntry[];
  /** Fields of the key in S/4HANA, where it is another. */
  readonly s4Key?: readonly string[];
}

export interface FieldEntry extends DictionaryField {
  readonly s4Length?: number;
  readonly s4Only?: true;
}

/** The names of the key's fields, the client's first. */
export function keyOf(table: DictionaryTable): string[] {
  return table.fields.filter((field) => field.key).map((field) => field.name);
}

/** The field that holds the client, which tables name in several ways; undefined where all clients share the rows. */
export function clientOf(table: DictionaryTable): string | undefined {
  return table.fields.find((field) => field.key && field.type === "CLNT")?.name;
}

/** The field of the key that holds the language: the table has texts. */
export function languageOf(table: DictionaryTable): string | undefined {
  return table.fields.find((field) => field.key && field.type === "LANG")?.name;
}

/** Whether a field of the key is never blank: the client, the field behind it, and all but texts (MBEW-BWTAR may be). */
export function isRequired(field: DictionaryField, table: DictionaryTable): boolean {
  if (!field.key) return false;
  const first = keyOf(table).slice(0, clientOf(table) === undefined ? 1 : 2);
  return first.includes(field.name) || field.type !== "CHAR";
}
