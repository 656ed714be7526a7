import type * as model from "../model/definition.js";
import { completeName, type TableName } from "../model/name.js";
import type { Api } from "./api-types.js";
import {
  type Checked,
  type Checks,
  count,
  either,
  expectations,
  flag,
  name,
  names,
  oneOf,
  query,
  relation,
  scalars,
  schema,
  shape,
  share,
  text,
  texts,
} from "./checks.js";
import { readSimpleName, readTableName } from "./names.js";
import { badOption, type Call, readOptions, requireOptions } from "./options.js";
import { readColumns } from "./schema.js";
import type { Scope } from "./scope.js";
import type { Dataset } from "./types.js";
import { makeTable, partsOfSql, relationOf, ruleOf, toSqlText } from "./values.js";

const driftAction = oneOf("ignore", "notify", "add", "quarantine", "stop");
const VIEW = {
  comment: text,
  schema,
  expectations,
  drift: either(
    driftAction,
    shape({
      added: driftAction,
      removed: driftAction,
      renamed: driftAction,
      widened: driftAction,
      narrowed: driftAction,
      retyped: driftAction,
      keyChanged: driftAction,
    }),
  ),
  tags: texts,
  dialect: oneOf("duckdb"),
};
const TEMPORARY_VIEW = { ...VIEW, quarantine: name, gate: shape({ maxFailedShare: share, maxFailedRows: count }) };
const TABLE = {
  ...TEMPORARY_VIEW,
  tableProperties: scalars,
  clusterBy: either(names, oneOf("auto")),
  partitionCols: names,
  location: name,
  private: flag,
};
/** The options of a streaming table. */
export const STREAMING_TABLE = { ...TABLE, backfill: shape({ source: relation, chunkBy: name }) };
/** The options of a materialized view. */
export const MATERIALIZED_VIEW = {
  ...TABLE,
  refreshPolicy: oneOf("auto", "incremental", "incremental strict", "full"),
};
/** The options of any dataset. */
type Options = Checked<typeof STREAMING_TABLE & typeof MATERIALIZED_VIEW & { query: typeof query }>;

type Functions = Pick<Api, "table" | "materializedView" | "temporaryView" | "view" | "createStreamingTable">;

/** The functions that declare datasets. */
export function createDatasets(scope: Scope): Functions {
  const withQuery = (functionName: string, kind: model.DatasetKind, checks: Checks) => {
    const declare = (name: string, definition: unknown): Dataset => {
      const call: Call = { text: `${functionName}(${JSON.stringify(name)})`, at: scope.places.callSite(declare) };
      if (typeof definition === "string") {
        badOption(scope, call, `${call.text}: a query must be ${query.wanted}`, "Put sql before its back-ticks.");
        return declareDataset(scope, call, kind, name, {});
      }
      const given = query.accepts(definition) ? { query: definition } : (definition ?? {});
      const options = readOptions(scope, call, given, { ...checks, query }) as Options;
      requireOptions(scope, call, given, { query });
      return declareDataset(scope, call, kind, name, options);
    };
    return declare;
  };
  const createStreamingTable = (name: string, given?: unknown): Dataset => {
    const at = scope.places.callSite(createStreamingTable);
    const call: Call = { text: `createStreamingTable(${JSON.stringify(name)})`, at };
    return declareDataset(scope, call, "streaming-table", name, readOptions(scope, call, given, STREAMING_TABLE));
  };
  return {
    table: withQuery("table", "streaming-table", STREAMING_TABLE),
    materializedView: withQuery("materializedView", "materialized-view", MATERIALIZED_VIEW),
    temporaryView: withQuery("temporaryView", "temporary-view", TEMPORARY_VIEW),
    view: withQuery("view", "view", VIEW),
    createStreamingTable,
  } as Functions;
}

function declareDataset(scope: Scope, call: Call, kind: model.DatasetKind, name: string, options: Options): Dataset {
  const table = datasetName(scope, call, kind, name);
  const { at } = call;
  const { query: sql, schema, expectations, tableProperties, clusterBy, partitionCols, backfill, ...rest } = options;
  const { private: isPrivate, ...same } = rest;
  const backfillSource = relationOf(backfill?.source);
  scope.declare("datasets", {
    kind,
    name: table,
    at,
    ...same,
    ...(schema === undefined ? {} : { columns: readColumns(scope, call, schema) }),
    expectations: (expectations ?? []).flat().flatMap((value) => ruleOf(value) ?? []),
    properties: Object.fromEntries(Object.entries(tableProperties ?? {}).map(([key, value]) => [key, String(value)])),
    ...(clusterBy === undefined ? {} : { clusterBy }),
    ...(partitionCols === undefined ? {} : { partitionBy: partitionCols }),
    ...(isPrivate === true ? { private: true } : {}),
    ...(backfill?.chunkBy === undefined || backfillSource === undefined
      ? {}
      : { backfill: { source: toSqlText(backfillSource.parts, at), chunkBy: backfill.chunkBy } }),
  });
  if (sql !== undefined) {
    scope.declare("flows", {
      kind: "query",
      name: table.table,
      target: table,
      at,
      defaults: scope.defaults,
      query: toSqlText(partsOfSql(sql) ?? [], at),
    });
  }
  return makeTable<Dataset>(kind, name, table);
}

/** The declared name, completed; a temporary view belongs to the pipeline alone, so its name has one part. */
function datasetName(scope: Scope, call: Call, kind: model.DatasetKind, name: string): TableName {
  if (kind !== "temporary-view") return readTableName(scope, call.text, name, call.at);
  const code = "MULTIPART_TEMPORARY_VIEW_NAME_NOT_SUPPORTED";
  return completeName([readSimpleName(scope, call.text, name, call.at, code)], scope.defaults);
}
