import { createApi } from "../define/api.js";
import type { Api } from "../define/api-types.js";
import { outsideScope } from "../define/outside.js";

export type * from "../define/column-types.js";
export type * from "../define/types.js";

// A project's definitions are evaluated with an API of their own load; this one works outside of loads, as in a unit
// test: calls give values, errors are thrown at once, and nothing is declared anywhere.
const api: Api = createApi(outsideScope());

// ── datasets ──

/**
 * Declares a streaming table and its default flow, which reads each row of its sources once: the query must read a
 * stream (`FROM STREAM …`).
 *
 * @param name one to three parts, completed by the spec's catalog and schema, compared without case
 * @param definition the query, or options with `query`
 * @throws IngotError UNKNOWN_OPTION, BAD_OPTION, BAD_SCHEMA, INVALID_IDENTIFIER
 */
export const table: Api["table"] = api.table;

/** Declares a materialized view: a table that always holds the result of its query. As {@link table} else. */
export const materializedView: Api["materializedView"] = api.materializedView;

/**
 * Declares a view that lives for the run, batch or streaming.
 *
 * @param name one part
 * @throws IngotError MULTIPART_TEMPORARY_VIEW_NAME_NOT_SUPPORTED, and as {@link table}
 */
export const temporaryView: Api["temporaryView"] = api.temporaryView;

/** Declares a persisted view, which is batch. */
export const view: Api["view"] = api.view;

/** Declares a streaming table without a flow of its own: {@link appendFlow} and the like fill it. */
export const createStreamingTable: Api["createStreamingTable"] = api.createStreamingTable;

// ── relations ──

/** A dataset by name: one that a `.sql` file declares, or one that would make an import cycle. */
export const ref: Api["ref"] = api.ref;

/** A table that another pipeline owns, by its three-part name or, with `path`, a Delta folder. Never written. */
export const externalTable: Api["externalTable"] = api.externalTable;

/**
 * The changes of a table: `t WITH (readChangeFeed = true, …)`. Write STREAM before it. It has the table's columns and
 * `_change_type`, `_commit_version`, `_commit_timestamp`.
 */
export const changeFeed: Api["changeFeed"] = api.changeFeed;

/**
 * Files: `read_files('path', format => …)`. Write STREAM before it to read each file once.
 *
 * @param path a file, a folder or a glob, relative to the spec's folder
 * @param options by Spark's and Auto Loader's names
 */
export const readFiles: Api["readFiles"] = api.readFiles;

// ── sql ──

/**
 * A piece of Spark SQL. `${}` takes a relation (its name), a `sql` piece (its text), a text (a quoted literal), a
 * bigint, safe integer, boolean or null (the literal) and lists of these. The text is taken raw: a backslash means
 * what it means in a `.sql` file.
 *
 * @throws IngotError BAD_SQL_VALUE, INEXACT_NUMBER, at the `${}`
 */
export const sql: Api["sql"] = api.sql;

// ── flows ──

/** Declares a flow that appends the result of a query to a streaming table. */
export const appendFlow: Api["appendFlow"] = api.appendFlow;

/**
 * Declares a flow that replaces rows of a streaming table: those that meet a condition (`replaceWhere`), or those with
 * the keys that arrive (`replaceUsing`, the newest by `sequenceBy`).
 */
export const replaceFlow: Api["replaceFlow"] = api.replaceFlow;

/**
 * Declares a flow that applies changes by key, in the order of `sequenceBy` (AUTO CDC).
 *
 * @throws IngotError AUTOCDC_EMPTY_KEYS, AUTOCDC_MISSING_SEQUENCE_BY, AUTOCDC_BOTH_COLUMN_LIST_AND_EXCEPT_COLUMN_LIST
 */
export const createAutoCdcFlow: Api["createAutoCdcFlow"] = api.createAutoCdcFlow;

/** Declares a flow that applies the differences between full snapshots. An empty snapshot stops it. */
export const createAutoCdcFromSnapshotFlow: Api["createAutoCdcFromSnapshotFlow"] = api.createAutoCdcFromSnapshotFlow;

// ── quality: values for the option `expectations` of a dataset, in their order ──

/** Rows that fail are kept and counted. A condition that is NULL counts as failed, here and below. */
export const expect: Api["expect"] = api.expect;
/** Rows that fail are not written. */
export const expectOrDrop: Api["expectOrDrop"] = api.expectOrDrop;
/** A row that fails stops the flow, and nothing is written. */
export const expectOrFail: Api["expectOrFail"] = api.expectOrFail;
/** Rows that fail go to the quarantine table. */
export const expectOrQuarantine: Api["expectOrQuarantine"] = api.expectOrQuarantine;
/** {@link expect} for each name and condition of an object. */
export const expectAll: Api["expectAll"] = api.expectAll;
/** {@link expectOrDrop} for each name and condition of an object. */
export const expectAllOrDrop: Api["expectAllOrDrop"] = api.expectAllOrDrop;
/** {@link expectOrFail} for each name and condition of an object. */
export const expectAllOrFail: Api["expectAllOrFail"] = api.expectAllOrFail;
/** {@link expectOrQuarantine} for each name and condition of an object. */
export const expectAllOrQuarantine: Api["expectAllOrQuarantine"] = api.expectAllOrQuarantine;
/** No two rows of the whole result have equal values in these columns; else the update fails. */
export const expectUnique: Api["expectUnique"] = api.expectUnique;
/** Each row's values in these columns stand in the target's columns, or one is NULL; else the update fails. */
export const expectReferences: Api["expectReferences"] = api.expectReferences;
/** After a run the table has about as many rows as after the last ones; else the update fails. */
export const expectRowCount: Api["expectRowCount"] = api.expectRowCount;
/** The newest value of a column is no older than `"2 hours"` when a run comes to the table; else it fails. */
export const expectFreshness: Api["expectFreshness"] = api.expectFreshness;
/** All rows that the table has after a run have one value in a column, or NULL; else the run warns of them. */
export const expectSingleValue: Api["expectSingleValue"] = api.expectSingleValue;

// ── the project, while it loads ──

/**
 * A value of the spec's `configuration` or of `--set`. Outside a load it is the fallback.
 *
 * @throws IngotError CONFIG_MISSING without a fallback; OUTSIDE_LOAD
 */
export const config: Api["config"] = api.config;

/**
 * The content of a JSON file.
 *
 * @param path relative to the spec's folder
 * @throws IngotError FILE_NOT_READABLE, DEFINITIONS_FILE_FAILED (no JSON), OUTSIDE_LOAD
 */
export const readJson: Api["readJson"] = api.readJson;

/** Whether a file or folder is there; `path` is relative to the spec's folder. @throws IngotError OUTSIDE_LOAD */
export const fileExists: Api["fileExists"] = api.fileExists;

/** The files that match a glob, relative to the spec's folder, sorted. @throws IngotError OUTSIDE_LOAD */
export const listFiles: Api["listFiles"] = api.listFiles;

/** A line in the event log of each run, at level INFO (default) or WARN. @throws IngotError OUTSIDE_LOAD */
export const notice: Api["notice"] = api.notice;
