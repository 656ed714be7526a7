import { IngotError } from "../model/error.js";
import type { ErrorCode } from "../model/error-catalogue.js";
import { nearest } from "../model/nearest.js";
import { CHANGE_FORMATS, type ChangeFormatName, type OperationColumn } from "../sap/changes/formats.js";
import { clientOf, type DictionaryTable, keyOf } from "../sap/dictionary/table.js";
import type { SapSystem } from "../sap/system.js";
import type { ChangeViewInput } from "../sap/tables/change-view.js";
import { type Checked, either, expression, flag, name, names, oneOf, shape, share, source } from "./checks.js";
import { STREAMING_TABLE } from "./datasets.js";
import type { Call } from "./options.js";
import type { FilesRead } from "./values.js";

const { expectations, quarantine, gate, drift, backfill, comment, tags, tableProperties, clusterBy } = STREAMING_TABLE;

export const SAP_TABLE = {
  from: source,
  system: name,
  changeFormat: oneOf(...(Object.keys(CHANGE_FORMATS) as ChangeFormatName[])),
  columns: oneOf("strings", "typed"),
  where: expression,
  keys: names,
  columnList: names,
  names: shape({ bronze: name, changes: name, snapshot: name }),
  expectations,
  quarantine,
  gate,
  drift,
  backfill,
  comment,
  tags,
  tableProperties,
  clusterBy,
  scdType: oneOf(1, 2),
  sequenceBy: either(name, names),
  applyAsDeletes: expression,
  ignoreNullUpdates: flag,
  ties: oneOf("upsert", "delete"),
  maxDeleteShare: share,
  onArchiveDelete: oneOf("delete", "keep"),
};
export type SapTableGiven = Checked<typeof SAP_TABLE>;

/** The landing table's column that says where a row stands in the deliveries: file by file, row by row. */
export const DELIVERY = "_delivery";

/**
 * What the change view of a table is made from.
 *
 * @param files what `from` says of its files, where it is files
 * @throws IngotError BAD_OPTION, SAP_SOURCE_NOT_FOUND, AUTOCDC_EMPTY_KEYS
 */
export function readSapTable(
  call: Call,
  sapName: string,
  options: SapTableGiven,
  systems: readonly SapSystem[],
  files: FilesRead | undefined,
): ChangeViewInput {
  const system = systemOf(call, options.system, systems);
  const table = system.dictionary.table(sapName);
  const mode = options.columns ?? "strings";
  const keys = options.keys ?? (table === undefined ? [] : keyOf(table));
  const format = options.changeFormat ?? "plain";
  const columns = files?.schema?.map((field) => field.name);
  const sequenceBy = typeof options.sequenceBy === "string" ? [options.sequenceBy] : options.sequenceBy;
  refuseCounter(call, format, sequenceBy ?? []);
  if (keys.length === 0) throw withoutKey(call, system.dictionary.nearest(sapName));
  if (table === undefined) requireNoDictionary(call, options);
  else requireFields(call, table, [...keys, ...(options.columnList ?? [])]);
  if (columns !== undefined) requireKeys(call, keys, columns, system, table);
  return {
    format,
    system,
    mode,
    keys,
    ...(table === undefined ? {} : { table }),
    ...(options.columnList === undefined ? {} : { fields: options.columnList }),
    ...(columns === undefined ? {} : { columns }),
    ...(sequenceBy === undefined ? {} : { sequenceBy }),
    ...(files === undefined ? {} : { delivery: DELIVERY }),
    ...(files?.corruptRecord === undefined ? {} : { corruptRecord: files.corruptRecord }),
    ...(options.backfill === undefined ? {} : { hasHistory: true as const }),
  };
}

/** ODQ_ENTITYCNTR counts rows and orders none. */
function refuseCounter(call: Call, format: ChangeFormatName, sequenceBy: readonly string[]): void {
  const counters = CHANGE_FORMATS[format].operation.flatMap((column: OperationColumn) =>
    column.as === "sign" ? column.names : [],
  );
  const counter = sequenceBy.find((column) => counters.includes(column.toUpperCase()));
  if (counter === undefined) return;
  const hint = "Leave `sequenceBy` out for the order of delivery, or name the producer's sequence.";
  throw sapTableFault(call, "BAD_OPTION", `is ordered by ${counter}, which is a counter and no sequence`, hint);
}

/** @throws IngotError SAP_SOURCE_NOT_FOUND */
export function systemOf(call: Call, wanted: string | undefined, systems: readonly SapSystem[]): SapSystem {
  const [only, another] = systems;
  const found =
    wanted === undefined
      ? another === undefined
        ? only
        : undefined
      : systems.find((system) => system.name?.toLowerCase() === wanted.toLowerCase());
  if (found !== undefined) return found;
  const declared = systems.flatMap((system) => system.name ?? []);
  const hint =
    declared.length === 0
      ? "Declare it in the spec, under `sources`."
      : `Write system: ${JSON.stringify(declared[0])}; the spec declares ${declared.join(", ")}.`;
  const what =
    wanted === undefined
      ? "does not say from which source it is"
      : `is of a source ${wanted}, which the spec does not declare`;
  throw sapTableFault(call, "SAP_SOURCE_NOT_FOUND", what, hint);
}

function withoutKey(call: Call, near: string | undefined): IngotError {
  const meant = near === undefined ? "" : ` Did you mean ${near}?`;
  const hint = `Name its key: keys: ["id"].${meant}`;
  return sapTableFault(call, "AUTOCDC_EMPTY_KEYS", "is in no dictionary, and has no key", hint);
}

function requireNoDictionary(call: Call, { columns, columnList }: SapTableGiven): void {
  const option = columns === "typed" ? '`columns: "typed"`' : columnList === undefined ? undefined : "`columnList`";
  if (option === undefined) return;
  const hint = "Leave it out, or give the source extracts of DD03L: `dictionary` in the spec.";
  throw sapTableFault(call, "BAD_OPTION", `is in no dictionary, which ${option} needs`, hint);
}

function requireFields(call: Call, table: DictionaryTable, given: readonly string[]): void {
  const known = table.fields.map((field) => field.name);
  const unknown = given.find((field) => !known.includes(field.toUpperCase()));
  if (unknown === undefined) return;
  const near = nearest(unknown.toUpperCase(), known);
  const hint =
    near === undefined ? `\`ingot sap describe ${table.name}\` lists them.` : `Did you mean ${near.toLowerCase()}?`;
  throw sapTableFault(call, "BAD_OPTION", `has no field ${unknown}`, hint);
}

/** A declared schema has the whole key, but for a client that the source declares. */
function requireKeys(
  call: Call,
  keys: readonly string[],
  columns: readonly string[],
  { conventions }: SapSystem,
  table: DictionaryTable | undefined,
): void {
  const present = new Set(columns.map((column) => column.toUpperCase()));
  const client = table === undefined || conventions.client === undefined ? undefined : clientOf(table);
  const missing = keys.filter((key) => !present.has(key.toUpperCase()) && key.toUpperCase() !== client);
  if (missing.length === 0) return;
  const hint = `Add it to the schema of \`from\`${table !== undefined && missing.includes(clientOf(table) ?? "") ? ", or declare `client` for the source" : ""}.`;
  throw sapTableFault(call, "BAD_OPTION", `lacks ${missing.join(", ")} of its key in the schema of \`from\``, hint);
}

/** A fault that the rest of the call cannot stand. */
export function sapTableFault(call: Call, code: ErrorCode, what: string, hint: string): IngotError {
  return new IngotError(code, `${call.text} ${what}`, { at: call.at, hint });
}
