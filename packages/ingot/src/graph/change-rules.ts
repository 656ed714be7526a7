import {
  ARCHIVED,
  BEFORE_IMAGE,
  type ChangeRules,
  DELETED,
  END_AT,
  RESERVED_PREFIX,
  SEQUENCE,
  START_AT,
  TRUNCATES,
} from "../model/changes.js";
import { type DataType, type Field, fieldNamed, formatType, withNulls } from "../model/data-type.js";
import type { AutoCdcFlow, ReplaceFlow, SnapshotCdcFlow } from "../model/definition.js";
import { IngotError } from "../model/error.js";
import type { ErrorCode } from "../model/error-catalogue.js";
import { splitName } from "../model/name.js";
import { nearest } from "../model/nearest.js";
import { positionAt } from "../model/position.js";
import type { CompiledQuery } from "../model/query.js";
import { isComparable } from "../sql/bind/type-rules.js";
import { ARCHIVE_DELETE, tellsChangeType } from "./change-query.js";

/**
 * What a change flow does with the events of its query: its lists resolved against the columns that are there.
 *
 * @param source the query of `sourceQuery`
 * @param events the query of `eventQuery`
 * @throws IngotError AUTOCDC_…, COLUMN_ALREADY_EXISTS, NOT_SUPPORTED
 */
export function changeRules(
  flow: AutoCdcFlow,
  { schema: source, deterministic }: CompiledQuery,
  events: CompiledQuery,
): ChangeRules {
  refuseSourceNames(flow, source);
  refuseUntoldArchive(flow, source);
  if (deterministic && !events.deterministic)
    throw fault(
      flow,
      "NOT_SUPPORTED",
      "its sequence or a condition asks for the time or a random number",
      "A batch that is done again would give another result: use columns of the source.",
    );
  const columns = selectColumns(flow, source);
  const keys = resolveKeys(flow, flow.keys, columns);
  const others = columns.filter(({ name }) => !keys.includes(name)).map(({ name }) => name);
  const sequence = fieldNamed(events.schema, SEQUENCE);
  if (sequence === undefined) throw new Error("unreachable: the query of events has a sequence");
  // The end of a version that holds now is missing as a whole, and so are its fields.
  const sequenceType = withNulls(orderableType(flow, sequence.type));
  const ignoreNulls = ignoredNulls(flow, columns, others);
  const listable = listableColumns(flow, source);
  const writesAll = ignoreNulls.length === 0 && listable === undefined;
  const sequenceColumn = writesAll ? keptColumn(flow, columns) : undefined;
  return {
    storedAs: flow.storedAs === "scd2" ? "scd2" : "scd1",
    keys,
    columns,
    sequenceType,
    truncates: fieldNamed(events.schema, TRUNCATES) !== undefined,
    beforeImages: fieldNamed(events.schema, BEFORE_IMAGE) !== undefined,
    archived: fieldNamed(events.schema, ARCHIVED) !== undefined,
    ties: flow.ties ?? "upsert",
    ignoreNulls,
    ...(listable === undefined ? {} : { listable }),
    tracked: trackedColumns(flow, columns, others),
    ...(sequenceColumn === undefined ? {} : { sequenceColumn }),
    ...(flow.maxDeleteShare === undefined ? {} : { maxDeleteShare: flow.maxDeleteShare }),
  };
}

/** The columns that a change flow's target has of it. */
export function changedColumns({ columns, storedAs, sequenceType }: ChangeRules): readonly Field[] {
  if (storedAs === "scd1") return columns;
  const bound = (name: string): Field => ({ name, type: sequenceType, nullable: true });
  return [...columns, bound(START_AT), bound(END_AT)];
}

/** A delete by an archive is told by nothing but its `_change_type`. */
function refuseUntoldArchive(flow: AutoCdcFlow, source: readonly Field[]): void {
  if (flow.onArchiveDelete !== "keep" || tellsChangeType(source)) return;
  throw fault(
    flow,
    "AUTOCDC_ARCHIVE_DELETES_NOT_TOLD",
    "archived rows are to be kept, and the source has no column _change_type STRING that tells their deletes from others",
    `Add one in a view between: CASE WHEN … THEN '${ARCHIVE_DELETE}' … END AS _change_type; or narrow APPLY AS DELETE WHEN, and leave onArchiveDelete out.`,
  );
}

export function refuseSourceNames(flow: ChangeFlow, source: readonly Field[]): void {
  const taken = source.find(
    ({ name }) =>
      name.toLowerCase().startsWith(RESERVED_PREFIX) ||
      (flow.kind !== "replace" && flow.storedAs === "scd2" && [START_AT, END_AT].includes(name.toUpperCase())),
  );
  if (taken !== undefined)
    throw fault(
      flow,
      "AUTOCDC_RESERVED_COLUMN_NAME_PREFIX_CONFLICT",
      `the source has a column ${taken.name}, a name that Ingot keeps for itself`,
      "Give it another name in a view between: SELECT … AS other_name.",
    );
  const names = source.map(({ name }) => name.toLowerCase());
  const twice = source.find((_, i) => names.indexOf(names[i] ?? "") < i);
  if (twice === undefined) return;
  throw fault(
    flow,
    "COLUMN_ALREADY_EXISTS",
    `the source gives two columns called ${twice.name}`,
    "Give one of them another name with AS.",
  );
}

/** `COLUMNS`: all that are listed, or all but those that are listed. */
function selectColumns(flow: AutoCdcFlow, source: readonly Field[]): readonly Field[] {
  const { columnList, exceptColumnList } = flow;
  if (columnList !== undefined) return resolveAll(flow, columnList, source);
  if (exceptColumnList === undefined) return source;
  const left = resolveAll(flow, exceptColumnList, source);
  return source.filter((field) => !left.includes(field));
}

export function resolveKeys(flow: ChangeFlow, keys: readonly string[], columns: readonly Field[]): readonly string[] {
  return keys.map((key) => {
    const field = fieldNamed(columns, key);
    if (field === undefined)
      throw fault(
        flow,
        "AUTOCDC_KEY_NOT_IN_SELECTED_SCHEMA",
        `the key ${key} is not among the columns that are taken`,
        `They are ${columns.map(({ name }) => name).join(", ")}.`,
      );
    if (isNested(field.type))
      throw fault(flow, "NOT_SUPPORTED", `the key ${key} is ${formatType(field.type)}`, "Take its fields as columns.");
    return field.name;
  });
}

/** A flow that may have a history. */
type KeyedFlow = AutoCdcFlow | SnapshotCdcFlow;

type ChangeFlow = KeyedFlow | ReplaceFlow;

function isNested({ kind }: DataType): boolean {
  return kind === "array" || kind === "map" || kind === "struct";
}

function orderableType(flow: AutoCdcFlow, type: DataType): DataType {
  if (isComparable(type) && type.kind !== "void" && type.kind !== "interval") return type;
  throw new IngotError(
    "AUTOCDC_MICROBATCH_VALIDATION.NON_ORDERABLE_SEQUENCE",
    `The flow ${flow.name}: SEQUENCE BY is ${formatType(type)}, which has no order`,
    {
      at: positionAt(flow.sequenceBy, 0),
      object: flow.name,
      hint: "Use a number, a text, a date or time, or STRUCT(a, b) of such.",
    },
  );
}

function ignoredNulls(flow: AutoCdcFlow, columns: readonly Field[], others: readonly string[]): readonly string[] {
  const ignore = flow.ignoreNullUpdates;
  if (ignore === undefined) return [];
  const named = ignore === true ? undefined : "on" in ignore ? ignore.on : ignore.except;
  const listed = resolveAll(flow, named ?? [], columns).map(({ name }) => name);
  const isOn = ignore !== true && "on" in ignore;
  const ignored = others.filter((name) => listed.includes(name) === isOn);
  const nested = ignored.find((name) => holdsFields(fieldNamed(columns, name)?.type));
  if (nested !== undefined)
    throw fault(
      flow,
      "NOT_SUPPORTED",
      `IGNORE NULL UPDATES of the column ${nested}, whose fields may be NULL each by itself,`,
      `Leave it out: IGNORE NULL UPDATES ON * EXCEPT (${nested}).`,
    );
  if (ignored.length > 0) refuseTruncates(flow, "IGNORE NULL UPDATES");
  return ignored;
}

/** The columns that a change may say it writes; undefined: each change writes all. */
function listableColumns(flow: AutoCdcFlow, source: readonly Field[]): readonly string[] | undefined {
  const { columnsToUpdate, ignoreNullUpdates } = flow;
  if (columnsToUpdate === undefined) return undefined;
  const [listed] = resolveAll(flow, [columnsToUpdate], source);
  if (listed !== undefined && !(listed.type.kind === "array" && listed.type.element.kind === "string"))
    throw fault(
      flow,
      "BAD_OPTION",
      `COLUMNS TO UPDATE names the column ${listed.name}, which is ${formatType(listed.type)}`,
      "It names a column of type ARRAY<STRING>, which holds the names of the columns that a change writes.",
    );
  if (ignoreNullUpdates !== undefined)
    throw fault(
      flow,
      "BAD_OPTION",
      "COLUMNS TO UPDATE beside IGNORE NULL UPDATES",
      "Keep one of them: a list says exactly which columns a change writes, NULLs among them.",
    );
  refuseTruncates(flow, "COLUMNS TO UPDATE");
  return source.map(({ name }) => name);
}

function refuseTruncates(flow: AutoCdcFlow, beside: string): void {
  if (flow.applyAsTruncates === undefined) return;
  throw fault(
    flow,
    "NOT_SUPPORTED",
    `APPLY AS TRUNCATE WHEN beside ${beside}`,
    "Leave one of them out, or delete the keys one by one.",
  );
}

function holdsFields(type: DataType | undefined): boolean {
  return type?.kind === "struct" || type?.kind === "map";
}

export function trackedColumns(
  flow: KeyedFlow,
  columns: readonly Field[],
  others: readonly string[],
): readonly string[] {
  const { trackHistoryColumnList: on, trackHistoryExceptColumnList: except } = flow;
  const listed = resolveAll(flow, on ?? except ?? [], columns).map(({ name }) => name);
  if (on !== undefined) return listed;
  return others.filter((name) => !listed.includes(name));
}

/** The column that SEQUENCE BY names, where the target keeps it. */
function keptColumn({ sequenceBy }: AutoCdcFlow, columns: readonly Field[]): string | undefined {
  const text = sequenceBy.text.trim();
  if (!/^(?:[a-z_]\w*|`(?:[^`]|``)+`)$/i.test(text)) return undefined;
  return fieldNamed(columns, splitName(text)[0] ?? "")?.name;
}

function resolveAll(flow: ChangeFlow, names: readonly string[], columns: readonly Field[]): readonly Field[] {
  return names.map((name) => {
    const field = fieldNamed(columns, name);
    if (field !== undefined) return field;
    const known = columns.map((column) => column.name);
    const near = nearest(name, known);
    throw fault(
      flow,
      "AUTOCDC_COLUMNS_NOT_FOUND_IN_SCHEMA",
      `there is no column ${name}`,
      near === undefined ? `The source has ${known.join(", ")}.` : `Did you mean ${near}?`,
    );
  });
}

/** Of flows whose rows all hold, and none of which deletes or keeps a value. */
export const WHOLE_ROWS = {
  truncates: false,
  beforeImages: false,
  archived: false,
  ties: "upsert",
  ignoreNulls: [],
} as const;

/** The columns of a query that ends with SEQUENCE and DELETED, and its sequence. */
export function splitSequence({ schema }: CompiledQuery): { columns: readonly Field[]; sequence: Field } {
  const [sequence, deleted] = schema.slice(-2);
  if (sequence?.name !== SEQUENCE || deleted?.name !== DELETED)
    throw new Error("unreachable: the query of such a flow ends with its sequence");
  return { columns: schema.slice(0, -2), sequence };
}

export function fault(flow: ChangeFlow, code: ErrorCode, message: string, hint: string): IngotError {
  return new IngotError(code, `The flow ${flow.name}: ${message}`, { at: flow.at, object: flow.name, hint });
}
