import { IngotError } from "../model/error.js";
import { quoteName } from "../sql/quote.js";
import type { Api } from "./api-types.js";
import {
  type Checked,
  either,
  expression,
  flag,
  keys,
  name,
  names,
  oneOf,
  query,
  shape,
  share,
  source,
  target,
  text,
} from "./checks.js";
import { readExpression, readSource } from "./expression.js";
import { readHead } from "./flows.js";
import { badOption, type Call, readOptions, requireOptions } from "./options.js";
import type { Scope } from "./scope.js";
import type { Flow } from "./types.js";
import { makeFlow, partsOfSql, toSqlText } from "./values.js";

const COMMON = {
  target,
  name,
  source,
  keys,
  storedAsScdType: oneOf(1, 2, "1", "2"),
  trackHistoryColumnList: names,
  trackHistoryExceptColumnList: names,
  once: flag,
};
const AUTO_CDC = {
  ...COMMON,
  comment: text,
  sequenceBy: either(either(name, names), query),
  applyAsDeletes: expression,
  applyAsTruncates: expression,
  columnList: names,
  exceptColumnList: names,
  columnsToUpdate: name,
  ignoreNullUpdates: either(flag, shape({ on: names, except: names })),
  ties: oneOf("upsert", "delete"),
  onInvalid: oneOf("fail", "quarantine"),
  maxDeleteShare: share,
  onArchiveDelete: oneOf("delete", "keep"),
};
const SNAPSHOT_CDC = { ...COMMON, version: query, minRowShare: share };
type Functions = Pick<Api, "createAutoCdcFlow" | "createAutoCdcFromSnapshotFlow">;

/** The functions that declare flows of changes and of snapshots. */
export function createAutoCdc(scope: Scope): Functions {
  const createAutoCdcFlow = (given: unknown): Flow => {
    const call: Call = { text: "createAutoCdcFlow()", at: scope.places.callSite(createAutoCdcFlow) };
    const options = readOptions(scope, call, given, AUTO_CDC);
    requireOptions(scope, call, given, { target, source });
    requireKeys(scope, call, given);
    checkChoices(scope, call, options);
    const { target: _t, name: _n, comment: _c, source: from, sequenceBy, storedAsScdType, once, ...same } = options;
    const { applyAsDeletes, applyAsTruncates, ignoreNullUpdates, ...plain } = same;
    const { head, targetValue } = readHead(scope, call, options);
    scope.declare("flows", {
      kind: "auto-cdc",
      ...head,
      ...plain,
      source: toSqlText([{ text: "STREAM " }, ...readSource(scope, call, from ?? "_")], call.at),
      keys: options.keys ?? [],
      sequenceBy: sequenceText(scope, call, given, sequenceBy),
      storedAs: storedAs(storedAsScdType),
      ...(applyAsDeletes === undefined
        ? {}
        : { applyAsDeletes: readExpression(scope, call, "`applyAsDeletes`", applyAsDeletes) }),
      ...(applyAsTruncates === undefined
        ? {}
        : { applyAsTruncates: readExpression(scope, call, "`applyAsTruncates`", applyAsTruncates) }),
      ...ignoredNulls(ignoreNullUpdates),
      ...(once === true ? { once } : {}),
    });
    return makeFlow(head.name, targetValue);
  };

  const createAutoCdcFromSnapshotFlow = (given: unknown): Flow => {
    const call: Call = {
      text: "createAutoCdcFromSnapshotFlow()",
      at: scope.places.callSite(createAutoCdcFromSnapshotFlow),
    };
    const options = readOptions(scope, call, given, SNAPSHOT_CDC);
    requireOptions(scope, call, given, { target, source });
    requireKeys(scope, call, given);
    checkChoices(scope, call, options);
    const { target: _t, name: _n, source: from, version, storedAsScdType, once, ...plain } = options;
    const { head, targetValue } = readHead(scope, call, options);
    scope.declare("flows", {
      kind: "auto-cdc-from-snapshot",
      ...head,
      ...plain,
      source: toSqlText(readSource(scope, call, from ?? "_"), call.at),
      keys: options.keys ?? [],
      storedAs: storedAs(storedAsScdType),
      ...(version === undefined ? {} : { version: toSqlText(partsOfSql(version) ?? [], call.at) }),
      ...(once === true ? { once } : {}),
    });
    return makeFlow(head.name, targetValue);
  };

  return { createAutoCdcFlow, createAutoCdcFromSnapshotFlow } as Functions;
}

function requireKeys(scope: Scope, call: Call, given: unknown): void {
  const { keys } = (given ?? {}) as { readonly keys?: unknown };
  if (keys !== undefined && !(Array.isArray(keys) && keys.length === 0)) return;
  const hint = 'Name the columns that identify a row: keys: ["id"].';
  scope.report(new IngotError("AUTOCDC_EMPTY_KEYS", `${call.text} has no key`, { at: call.at, hint }));
}

/** Options that exclude each other. */
function checkChoices(scope: Scope, call: Call, options: Checked<typeof AUTO_CDC>): void {
  const { columnList, exceptColumnList, trackHistoryColumnList, trackHistoryExceptColumnList } = options;
  if (columnList !== undefined && exceptColumnList !== undefined) {
    scope.report(
      new IngotError(
        "AUTOCDC_BOTH_COLUMN_LIST_AND_EXCEPT_COLUMN_LIST",
        `${call.text} has both \`columnList\` and \`exceptColumnList\``,
        { at: call.at, hint: "Keep one of them." },
      ),
    );
  }
  if (trackHistoryColumnList !== undefined && trackHistoryExceptColumnList !== undefined) {
    const both = "`trackHistoryColumnList` and `trackHistoryExceptColumnList`";
    badOption(scope, call, `${call.text} has both ${both}`, "Keep one of them.");
  }
  const history = trackHistoryColumnList ?? trackHistoryExceptColumnList;
  if (history !== undefined && storedAs(options.storedAsScdType) === "scd1") {
    badOption(scope, call, `${call.text}: only SCD type 2 keeps a history`, "Add storedAsScdType: 2.");
  }
  if (options.applyAsTruncates !== undefined && storedAs(options.storedAsScdType) === "scd2") {
    const hint = "Keep type 1, or leave the truncates out.";
    badOption(scope, call, `${call.text}: only SCD type 1 takes \`applyAsTruncates\``, hint);
  }
  const nulls = options.ignoreNullUpdates;
  if (typeof nulls === "object" && (nulls.on === undefined) === (nulls.except === undefined)) {
    badOption(scope, call, `${call.text}: \`ignoreNullUpdates\` takes \`on\` or \`except\``, "Keep one of them.");
  }
}

/** The order of the changes of a key: a column, several as a STRUCT, or an expression. */
function sequenceText(scope: Scope, call: Call, given: unknown, sequenceBy: Checked<typeof AUTO_CDC>["sequenceBy"]) {
  if (sequenceBy === undefined && (given as { sequenceBy?: unknown } | undefined)?.sequenceBy === undefined) {
    const hint = 'Name the column that orders the changes of a key: sequenceBy: "updated_at".';
    scope.report(
      new IngotError("AUTOCDC_MISSING_SEQUENCE_BY", `${call.text} has no \`sequenceBy\``, { at: call.at, hint }),
    );
  }
  if (typeof sequenceBy === "string") {
    return toSqlText([{ text: quoteName(sequenceBy) }], scope.places.literal(sequenceBy, call.at));
  }
  if (!names.accepts(sequenceBy)) return toSqlText(partsOfSql(sequenceBy) ?? [], call.at);
  const columns = sequenceBy.map(quoteName).join(", ");
  return toSqlText([{ text: sequenceBy.length === 1 ? columns : `struct(${columns})` }], call.at);
}

function storedAs(type: 1 | 2 | "1" | "2" | undefined): "scd1" | "scd2" {
  return String(type) === "2" ? "scd2" : "scd1";
}

function ignoredNulls(given: Checked<typeof AUTO_CDC>["ignoreNullUpdates"]) {
  if (given === undefined || given === false) return {};
  if (given === true) return { ignoreNullUpdates: true } as const;
  if (given.on !== undefined) return { ignoreNullUpdates: { on: given.on } };
  return given.except === undefined ? {} : { ignoreNullUpdates: { except: given.except } };
}
