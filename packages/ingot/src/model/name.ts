/** A complete table name. Compared without case (see {@link nameKey}); spelt as declared. */
export interface TableName {
  readonly catalog: string;
  readonly schema: string;
  readonly table: string;
}

/** Catalog and schema that complete a shorter name; Spark's own defaults, so that messages read the same. */
export interface NameDefaults {
  readonly catalog: string;
  readonly schema: string;
}

/** Completes one to three parts. The caller has refused other lengths. */
export function completeName(parts: readonly string[], defaults: NameDefaults): TableName {
  const [table = "", schema = defaults.schema, catalog = defaults.catalog] = [...parts].reverse();
  return { catalog, schema, table };
}

/** The parts of a name as people write it: dots between them, back-ticks around a part that holds one. */
export function splitName(text: string): string[] {
  const parts = text.match(/(?<=^|\.)(?:`(?:[^`]|``)*`|[^`.]*)(?=\.|$)/g) ?? [text];
  return parts.map((part) => (/^`.*`$/s.test(part) ? part.slice(1, -1).replaceAll("``", "`") : part));
}

/** The identity of a table: two names are one table when their keys are equal. */
export function nameKey(name: TableName): string {
  return [name.catalog, name.schema, name.table].map((part) => part.toLowerCase()).join("\u0000");
}

/** `catalog.schema.table`, as Spark prints it in messages. */
export function formatName(name: TableName): string {
  return `${name.catalog}.${name.schema}.${name.table}`;
}

/** As short as the defaults allow; for people. */
export function shortName(name: TableName, defaults: NameDefaults): string {
  if (name.catalog.toLowerCase() !== defaults.catalog.toLowerCase()) return formatName(name);
  if (name.schema.toLowerCase() !== defaults.schema.toLowerCase()) return `${name.schema}.${name.table}`;
  return name.table;
}

/** Whether two names, of columns or parts, are one: case is no difference. */
export function sameName(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

/** A Spark identifier in back-ticks. */
export function quoteIdentifier(part: string): string {
  return `\`${part.replaceAll("`", "``")}\``;
}

/** A complete name as a query takes it, each part in back-ticks. */
export function quoteTableName({ catalog, schema, table }: TableName): string {
  return [catalog, schema, table].map(quoteIdentifier).join(".");
}
