import { CHANGE_FORMATS, type ChangeFormat, type ChangeFormatName } from "../changes/formats.js";
import { normalizeChanges, sequenceValue } from "../changes/normalize-changes.js";
import { columnName } from "../column-name.js";
import { clientOf, type DictionaryField, type DictionaryTable } from "../dictionary/table.js";
import type { SapSystem } from "../system.js";
import { type ColumnMode, type FieldValue, fieldValue } from "./field-value.js";

/** What a table's change view is made from. */
export interface ChangeViewInput {
  readonly format: ChangeFormatName;
  readonly system: SapSystem;
  readonly mode: ColumnMode;
  /** Undefined for a table that no dictionary describes: its columns are taken as they are. */
  readonly table?: DictionaryTable;
  /** Fields that are taken, in any case; default: all of the table. */
  readonly fields?: readonly string[];
  readonly keys: readonly string[];
  /** Columns of the landing table, where they are known. */
  readonly columns?: readonly string[];
  /** Columns that order the changes, where the format's own do not. */
  readonly sequenceBy?: readonly string[];
  /** The landing table's column with the place in the deliveries, where it has one. */
  readonly delivery?: string;
  /** The landing table's column with records that do not fit, where it has one: their other columns say nothing. */
  readonly corruptRecord?: string;
  /** The landing table also has rows of a time before all deliveries: `BEFORE_DELIVERIES`. */
  readonly hasHistory?: true;
}

/** The time of delivery of rows that were there before the first, as Spark SQL. */
export const BEFORE_DELIVERIES = "timestamp_seconds(0)";

/** The view that reads a landing table's rows as changes, and what an AUTO CDC flow has to know of it. Texts are Spark SQL. */
export interface ChangeView {
  /** What stands behind SELECT, one entry a column. */
  readonly select: readonly string[];
  /** Rules of the view: rows that break one are set aside under its status or, where it has none, left out and counted. */
  readonly rules: readonly { readonly name: string; readonly condition: string; readonly status?: string }[];
  readonly keys: readonly string[];
  /** The column of the client, where rows of several would be a surprise. */
  readonly client?: string;
  /** Fields of the table that the view has, as its columns spell them. */
  readonly fields: readonly string[];
  /** What the dictionary says of them, where it says something. */
  readonly comments: Readonly<Record<string, string>>;
  /** Undefined where the format has no deletes. */
  readonly deletes?: string;
  /** Deletes of rows that were archived are told from others. */
  readonly tellsArchive: boolean;
  readonly sequenceBy: readonly string[];
  /** Columns of the view that are no columns of the table. */
  readonly except: readonly string[];
  readonly ties: "upsert" | "delete";
  /** The view has `event_ts`: when a change was made or, where the deliveries order them, delivered. */
  readonly timed: boolean;
}

/** Nothing orders the changes of a table that says no moment itself. */
export class UnorderedChanges extends Error {}

/** In the words of a Delta change feed, so that AUTO CDC knows and counts before images. */
const CHANGE_TYPE = "_change_type";
/** What a decoder could not read, with the texts. */
const MALFORMED = "_malformed";

interface Column {
  readonly name: string;
  readonly sql: string;
}

/** @throws ChangeFormatFault, UnorderedChanges */
export function changeView(input: ChangeViewInput): ChangeView {
  const { format, table, delivery, corruptRecord } = input;
  const values = table === undefined ? [] : fieldValues(table, input);
  const columns = input.columns ?? assumedColumns(format, table);
  const changes = normalizeChanges(format, columns);
  const spelt = (name: string) => (table === undefined ? name : name.toLowerCase());
  const operation = changes.operation.map((name): Column => ({ name: spelt(name), sql: columnName(name) }));
  const isFeed = operation.some(({ name }) => name === CHANGE_TYPE);
  const type = operation.length === 0 || isFeed ? [] : [{ name: CHANGE_TYPE, sql: changes.changeType }];
  const sequence = sequenceColumns(input, changes.sequence, spelt);
  const time = timeOf(input, changes.sequence, sequence);
  const malformed = malformedColumn(values);
  const corrupt = corruptRecord === undefined ? [] : [{ name: corruptRecord, sql: columnName(corruptRecord) }];
  const control = [...operation, ...type, ...sequence, ...malformed, ...corrupt];
  // `*` gives these already.
  const isGiven = ({ name, sql }: Column) => table === undefined && sql === columnName(name);
  const select = [
    ...values.map(({ field, value }) => ({ name: field.name.toLowerCase(), sql: value })),
    ...control.filter((column) => !isGiven(column)),
    ...(time === undefined ? [] : [{ name: "event_ts", sql: time }]),
  ];
  const keys = input.keys.map(spelt);
  const { client: declared, severalClients } = input.system.conventions;
  const client = clientColumn(table, values);
  const sequenceBy = sequence.map(({ name }) => name);
  const reasons = [...new Set(values.flatMap((value) => value.reasons))];
  return {
    select: [...(table === undefined ? ["*"] : []), ...select.map(aliased)],
    rules: [
      ...corrupt.map(({ sql }) => ({ name: "whole_record", condition: `${sql} IS NULL`, status: "MALFORMED_RECORD" })),
      ...(client === undefined || declared === undefined
        ? []
        : [{ name: "other_client", condition: `${client} = '${declared}'` }]),
      ...(changes.additive === undefined ? [] : [additiveRule(changes.additive)]),
      ...type.map(({ name }) => ({ name: "known_operation", condition: `${name} IS NOT NULL`, status: "UNKNOWN_OP" })),
      { name: "valid_key", condition: notNull(keys), status: "INVALID_PRIMARY_KEY" },
      // Every row has a place in the deliveries.
      ...(sequenceBy.every((name) => name === delivery)
        ? []
        : [{ name: "valid_sequence", condition: notNull(sequenceBy), status: "INVALID_SEQUENCE" }]),
      ...reasons.map((reason) => ({
        name: reason.toLowerCase(),
        condition: `NOT contains(${MALFORMED}, '[${reason}]')`,
        status: reason,
      })),
    ],
    keys,
    ...(client === undefined || declared !== undefined || severalClients === true ? {} : { client }),
    fields: values.map(({ field }) => field.name.toLowerCase()),
    comments: Object.fromEntries(
      values.flatMap(({ field: { name, description } }) =>
        description === undefined ? [] : [[name.toLowerCase(), description]],
      ),
    ),
    ...(operation.length === 0 ? {} : { deletes: deletesOf(format) }),
    tellsArchive: tellsArchive(format),
    sequenceBy,
    except: [...new Set(control.map(({ name }) => name))],
    ties: changes.ties,
    timed: time !== undefined,
  };
}

/** An archive delete is one, unless the flow keeps archived rows. */
function deletesOf(format: ChangeFormatName): string {
  return tellsArchive(format) ? `${CHANGE_TYPE} IN ('delete', 'archive_delete')` : `${CHANGE_TYPE} = 'delete'`;
}

function tellsArchive(format: ChangeFormatName): boolean {
  const { rules }: ChangeFormat = CHANGE_FORMATS[format];
  return rules.some(({ is }) => is === "archive");
}

function aliased({ name, sql }: Column): string {
  return sql === columnName(name) ? sql : `${sql} AS ${columnName(name)}`;
}

function notNull(names: readonly string[]): string {
  return names.map((name) => `${columnName(name)} IS NOT NULL`).join(" AND ");
}

/** The columns that a delivery of the format has at least, where nobody says which it has. */
function assumedColumns(name: ChangeFormatName, table: DictionaryTable | undefined): string[] {
  const { operation, sequence, sequenced }: ChangeFormat = CHANGE_FORMATS[name];
  const firsts = [...operation.map(({ names }) => names), ...(sequenced ? sequence : [])].map(([first]) => first ?? "");
  return [...(table?.fields ?? []).map((field) => field.name), ...firsts];
}

type NamedValue = FieldValue & { readonly field: DictionaryField };

/** The fields that are taken, and the whole key. */
function fieldValues(table: DictionaryTable, { fields, columns, keys, system, mode }: ChangeViewInput): NamedValue[] {
  const taken = fields === undefined ? undefined : new Set(fields.map((name) => name.toUpperCase()));
  const present = columns === undefined ? undefined : new Set(columns.map((name) => name.toUpperCase()));
  const keyed = new Set(keys.map((name) => name.toUpperCase()));
  return table.fields.flatMap((field): NamedValue[] => {
    if (!keyed.has(field.name) && taken?.has(field.name) === false) return [];
    if (present?.has(field.name) !== false) return [{ field, ...fieldValue(field, table, system, mode) }];
    const { client } = system.conventions;
    return field.name === clientOf(table) && client !== undefined ? [{ field, value: `'${client}'`, reasons: [] }] : [];
  });
}

function clientColumn(table: DictionaryTable | undefined, values: readonly NamedValue[]): string | undefined {
  const client = table === undefined ? undefined : clientOf(table);
  return values.some(({ field }) => field.name === client) ? client?.toLowerCase() : undefined;
}

/** @throws UnorderedChanges */
function sequenceColumns(input: ChangeViewInput, own: readonly string[], spelt: (name: string) => string): Column[] {
  const { format, sequenceBy, delivery } = input;
  const ordered = sequenceBy ?? (own.length > 0 ? own : delivery === undefined ? [] : [delivery]);
  if (ordered.length === 0) throw new UnorderedChanges();
  const ofFormat = new Set<string>(CHANGE_FORMATS[format].sequence.flat());
  return ordered.map((name) => {
    const sql = ofFormat.has(name.toUpperCase()) ? sequenceValue(format, name) : columnName(name);
    // A value in another form has another name than the column that it is made from.
    return { name: sql === columnName(name) ? spelt(name) : `_${spelt(name)}`, sql };
  });
}

/**
 * When a change was made, as Spark SQL: a part of its sequence, so that a change that is delivered again, in another
 * file, says the same.
 */
function timeOf(input: ChangeViewInput, own: readonly string[], [first]: readonly Column[]): string | undefined {
  const { format, sequenceBy, delivery, hasHistory } = input;
  if (first?.name === delivery)
    return hasHistory === true ? `nullif(${delivery}.time, ${BEFORE_DELIVERIES})` : `${delivery}.time`;
  const [given] = sequenceBy ?? own;
  const { sequence, order, stamped }: ChangeFormat = CHANGE_FORMATS[format];
  if (given === undefined || sequence[0]?.includes(given.toUpperCase()) !== true) return undefined;
  if (format === "cdf") return "_commit_timestamp";
  if (order !== "stamp" && stamped !== true) return undefined;
  const digits = `regexp_replace(CAST(${columnName(given)} AS STRING), '[^0-9]', '')`;
  return `try_to_timestamp(rpad(${digits}, 14, '0'), 'yyyyMMddHHmmss')`;
}

function malformedColumn(values: readonly NamedValue[]): Column[] {
  const told = values.flatMap(({ field, reason }) => {
    if (reason === undefined) return [];
    const column = columnName(field.name);
    return `concat('[', ${reason}, '] ${field.name}=', CAST(${column} AS STRING))`;
  });
  return told.length === 0 ? [] : [{ name: MALFORMED, sql: `concat_ws('; ', ${told.join(", ")})` }];
}

function additiveRule(additive: string) {
  return { name: "no_additive_image", condition: `NOT ${additive}`, status: "ADDITIVE_NOT_ALLOWED" };
}

/**
 * Columns of a landing table that files may lack without harm: they are read as NULL.
 *
 * @param ofText whether the files hold texts alone, so that a column that is not there has the type of one that is
 */
export function optionalColumns(
  { format, table, fields, keys, system }: Pick<ChangeViewInput, "format" | "table" | "fields" | "keys" | "system">,
  ofText: boolean,
): string[] {
  const { operation }: ChangeFormat = CHANGE_FORMATS[format];
  const taken = fields === undefined ? undefined : new Set(fields.map((name) => name.toUpperCase()));
  const keyed = new Set(keys.map((name) => name.toUpperCase()));
  const client = table === undefined || system.conventions.client === undefined ? undefined : clientOf(table);
  const others = (table?.fields ?? []).filter(
    ({ name }) => name === client || (ofText && !keyed.has(name) && taken?.has(name) !== false),
  );
  return [
    ...others.map(({ name }) => name),
    ...operation.flatMap(({ names, optional }) => (optional === true ? names : [])),
  ];
}
