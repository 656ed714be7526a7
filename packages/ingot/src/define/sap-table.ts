import { ChangeFormatFault } from "../sap/changes/normalize-changes.js";
import type { SapSystem } from "../sap/system.js";
import {
  BEFORE_DELIVERIES,
  type ChangeView,
  type ChangeViewInput,
  changeView,
  optionalColumns,
  UnorderedChanges,
} from "../sap/tables/change-view.js";
import { createApi } from "./api.js";
import type { Api } from "./api-types.js";
import type { SchemaInput } from "./column-types.js";
import { type Call, readOptions } from "./options.js";
import { hintTexts } from "./read-files.js";
import type { SapApi } from "./sap-api-types.js";
import { DELIVERY, readSapTable, SAP_TABLE, type SapTableGiven, sapTableFault, systemOf } from "./sap-table-options.js";
import type { SapTable } from "./sap-types.js";
import type { Scope } from "./scope.js";
import type { Dataset, DriftPolicy, FileSource, Flow, Relation, TableRef } from "./types.js";
import { type FilesRead, makeRelation, makeSapTable, relationOf, type SapTableMade } from "./values.js";

/** Delta clusters by four columns at most. */
export const MOST_CLUSTER_COLUMNS = 4;

/** `sapTable`: the plain declarations that a table of SAP stands for, each at the place of the call. */
export function createSapTable(scope: Scope, systems: readonly SapSystem[]): SapApi["sapTable"] {
  const sapTable = (table: string, given: unknown): SapTable<string, unknown> => {
    const call: Call = { text: `sapTable(${JSON.stringify(table)})`, at: scope.places.callSite(sapTable) };
    const options = readOptions(scope, call, given, SAP_TABLE);
    const api = createApi({ ...scope, places: { ...scope.places, callSite: () => call.at } });
    const from = options.from ?? landedFiles(api, call, table, systemOf(call, options.system, systems));
    const files = relationOf(from)?.files;
    const input = readSapTable(call, table, options, systems, files);
    const view = viewOf(call, input);
    const declare: Declare = {
      api,
      call,
      name: table.toLowerCase().replace(/^\W+/, "").replace(/\W+/g, "_"),
      options,
      input,
      view,
    };
    checkArchive(declare);
    const bronze = files === undefined ? landedTable(declare, from) : landFiles(declare, from as FileSource, files);
    const changes = declareChanges(declare, bronze);
    const snapshot = declareSnapshot(declare);
    const flow = declareFlow(declare, changes, snapshot);
    const scdType = options.scdType ?? 1;
    const shown = { table, scdType, bronze, changes, snapshot, flow } as unknown as SapTable<string, unknown>;
    return makeSapTable(shown, madeOf(input, view));
  };
  return sapTable as SapApi["sapTable"];
}

/**
 * The files of a table where its source says that they land. Texts of CSV may have line breaks, and a record that does not
 * fit is set aside.
 *
 * @throws IngotError BAD_OPTION
 */
function landedFiles(api: Api, call: Call, table: string, { landing }: SapSystem): FileSource {
  if (landing === undefined) {
    const hint = 'Say where its changes land: readFiles("landing/vbak", …), or `landing` of its source in the spec.';
    throw sapTableFault(call, "BAD_OPTION", "needs `from`", hint);
  }
  const { path, format, encoding } = landing;
  const named = path.replaceAll("{table}", table.toLowerCase()).replaceAll("{TABLE}", table.toUpperCase());
  if (format === "parquet") return api.readFiles(named, { format });
  const written = encoding === "UTF-8" ? {} : { encoding };
  if (format === "json") return api.readFiles(named, { format, options: written });
  const columnNameOfCorruptRecord = "_corrupt_record";
  return api.readFiles(named, {
    format,
    header: true,
    columnNameOfCorruptRecord,
    options: { multiLine: "true", ...written },
  });
}

/** What each of the declarations is made with. */
interface Declare {
  /** The functions that declare, at the place of the call. */
  readonly api: Api;
  readonly call: Call;
  /** The table's, as names of datasets have it. */
  readonly name: string;
  readonly options: SapTableGiven;
  readonly input: ChangeViewInput;
  readonly view: ChangeView;
}

/** What a document of the table has to know. */
function madeOf({ table, mode, system }: ChangeViewInput, { fields, timed }: ChangeView): SapTableMade | undefined {
  return table === undefined ? undefined : { table, mode, system, columns: fields, timed };
}

/** @throws IngotError BAD_OPTION */
function viewOf(call: Call, input: ChangeViewInput): ChangeView {
  try {
    return changeView(input);
  } catch (error) {
    if (error instanceof ChangeFormatFault) {
      const hint = "Correct the schema of `from` or `changeFormat`.";
      throw sapTableFault(call, "BAD_OPTION", `cannot tell its changes: ${error.message}`, hint);
    }
    if (!(error instanceof UnorderedChanges)) throw error;
    const hint = "Name the columns that order the changes of a key: sequenceBy.";
    throw sapTableFault(call, "BAD_OPTION", `reads ${input.format} changes of a table, which nothing orders`, hint);
  }
}

/** @throws IngotError BAD_OPTION */
function checkArchive({ call, options, input, view }: Declare): void {
  if (options.onArchiveDelete !== "keep" || view.tellsArchive) return;
  const hint = "Leave it out, and narrow applyAsDeletes to the deletes that count.";
  throw sapTableFault(
    call,
    "BAD_OPTION",
    `keeps archived rows, and ${input.format} does not tell their deletes from others`,
    hint,
  );
}

/** The streaming table that keeps the files' rows as they came, with their place in the deliveries. */
function landFiles({ api, call, name, options, input }: Declare, files: FileSource, read: FilesRead): Dataset {
  const { format, schema, hasHints } = read;
  const optional = schema === undefined && !hasHints ? optionalColumns(input, format !== "parquet") : [];
  const source = optional.length === 0 ? files : hintTexts(files, optional, call.at);
  const { backfill } = options;
  return api.table(options.names?.bronze ?? `bronze.${name}`, {
    ...(backfill === undefined ? {} : { backfill: placedFirst(backfill as Backfill, call) }),
    tableProperties: { "delta.enableChangeDataFeed": true, "delta.enableDeletionVectors": true },
    query: api.sql`SELECT
  *,
  struct(_metadata.file_modification_time AS time, _metadata.file_path AS file, _metadata.row_number AS row) AS ${api.sql.raw(DELIVERY)}
FROM STREAM ${source}`,
  });
}

interface Backfill {
  readonly source: Relation<unknown>;
  readonly chunkBy: string;
}

/** History is older than any delivery; among each other its rows have the order of its files. */
function placedFirst({ source, chunkBy }: Backfill, { at }: Call): Backfill {
  const { parts = [], files } = relationOf(source) ?? {};
  const place =
    files === undefined
      ? "'' AS file, CAST(0 AS BIGINT) AS row"
      : "_metadata.file_path AS file, _metadata.row_number AS row";
  const select = `(SELECT *, struct(${BEFORE_DELIVERIES} AS time, ${place}) AS ${DELIVERY} FROM `;
  return {
    source: makeRelation({ kind: "history" }, { parts: [{ text: select, at }, ...parts, { text: ")", at }] }),
    chunkBy,
  };
}

function landedTable({ api, call, options }: Declare, from: Relation<unknown> | string): Dataset | TableRef {
  const { backfill, names } = options;
  const unused = Object.entries({ backfill, "names.bronze": names?.bronze }).find(([, value]) => value !== undefined);
  if (unused !== undefined) {
    const hint = "Leave it out: the table that `from` names is declared elsewhere.";
    throw sapTableFault(call, "BAD_OPTION", `has \`${unused[0]}\`, and lands no files`, hint);
  }
  return typeof from === "string" ? api.ref(from) : (from as Dataset);
}

/** The temporary view that reads the landing table's rows as changes, and sets aside what is none. */
function declareChanges({ api, name, options, input, view }: Declare, bronze: Dataset | TableRef): Dataset {
  const { where, quarantine, gate, drift, expectations = [] } = options;
  const isTable = (bronze as Relation).kind !== "change-feed";
  const from = input.format === "cdf" && isTable ? api.changeFeed(bronze) : bronze;
  const kept =
    where === undefined
      ? api.sql``
      : api.sql`
WHERE ${typeof where === "string" ? api.sql.raw(where) : where}`;
  return api.temporaryView(options.names?.changes ?? `${name}_cdf`, {
    ...(quarantine === undefined ? {} : { quarantine }),
    ...(gate === undefined ? {} : { gate }),
    ...(drift === undefined ? {} : { drift: drift as DriftPolicy }),
    expectations: [
      ...view.rules.map(({ name: rule, condition, status }) =>
        status === undefined ? api.expectOrDrop(rule, condition) : api.expectOrQuarantine(rule, condition, { status }),
      ),
      ...expectations,
    ],
    query: api.sql`SELECT
  ${api.sql.raw(view.select.join(",\n  "))}
FROM STREAM ${from}${kept}`,
  });
}

function declareSnapshot({ api, name, options, view }: Declare): Dataset {
  const { comment, tags, tableProperties, clusterBy } = options;
  return api.createStreamingTable(options.names?.snapshot ?? `${name}_cur`, {
    ...(comment === undefined ? {} : { comment }),
    ...(tags === undefined ? {} : { tags }),
    ...(tableProperties === undefined ? {} : { tableProperties }),
    clusterBy: clusterBy ?? view.keys.slice(0, MOST_CLUSTER_COLUMNS),
    ...(Object.keys(view.comments).length === 0 ? {} : { schema: commentedColumns(view, options.scdType) }),
    ...(view.client === undefined ? {} : { expectations: [api.expectSingleValue(view.client)] }),
  });
}

/** All columns of the snapshot, those that the dictionary describes with a comment. */
function commentedColumns({ fields, timed, comments }: ChangeView, scdType: 1 | 2 | undefined): SchemaInput {
  const names = [...fields, ...(timed ? ["event_ts"] : []), ...(scdType === 2 ? ["__START_AT", "__END_AT"] : [])];
  return Object.fromEntries(
    names.map((name) => {
      const comment = comments[name];
      return [name, comment === undefined ? {} : { comment }];
    }),
  );
}

function declareFlow({ api, options, view }: Declare, source: Dataset, target: Dataset): Flow {
  const { scdType, ignoreNullUpdates, maxDeleteShare, onArchiveDelete } = options;
  const applyAsDeletes = options.applyAsDeletes ?? view.deletes;
  return api.createAutoCdcFlow({
    target,
    source,
    keys: view.keys as [string, ...string[]],
    sequenceBy: view.sequenceBy,
    exceptColumnList: view.except,
    ...(applyAsDeletes === undefined ? {} : { applyAsDeletes }),
    ...((options.ties ?? view.ties) === "delete" ? { ties: "delete" as const } : {}),
    ...(ignoreNullUpdates === undefined ? {} : { ignoreNullUpdates }),
    ...(maxDeleteShare === undefined ? {} : { maxDeleteShare }),
    ...(onArchiveDelete === undefined ? {} : { onArchiveDelete }),
    // A change that was delivered again says nothing new.
    ...(scdType !== 2
      ? {}
      : {
          storedAsScdType: 2 as const,
          ...(!view.timed ? {} : { trackHistoryExceptColumnList: ["event_ts"] }),
        }),
  });
}
