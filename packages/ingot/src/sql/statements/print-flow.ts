import type { AutoCdcFlow, Flow, SnapshotCdcFlow } from "../../model/definition.js";
import type { SqlText } from "../../model/position.js";
import { quoteName, quoteString } from "../quote.js";
import { CDC_OPTIONS, formatFlowOptions, SNAPSHOT_OPTIONS } from "./flow-options.js";
import { printNames, printTableName, printText } from "./print-text.js";

/** The CREATE FLOW statement of a flow; its defaults are in effect where it is printed. */
export function printFlow(flow: Flow): string {
  const comment = flow.comment === undefined ? [] : [`COMMENT ${quoteString(flow.comment)}`];
  return [`CREATE FLOW ${quoteName(flow.name)}`, ...comment, ...printBody(flow)].join("\n");
}

function printBody(flow: Flow): string[] {
  const target = printTableName(flow.target, flow.defaults);
  switch (flow.kind) {
    case "query":
      return [`AS INSERT ${flow.once === true ? "ONCE " : ""}INTO ${target} BY NAME`, printText(flow.query)];
    case "replace": {
      const using = `USING ${printNames(flow.replaceUsing ?? [])} SEQUENCE BY ${quoteName(flow.sequenceBy ?? "")}`;
      const replace = flow.replaceWhere === undefined ? using : `WHERE ${printText(flow.replaceWhere)}`;
      return [`AS INSERT INTO ${target} BY NAME REPLACE ${replace}`, printText(flow.query)];
    }
    case "auto-cdc":
      return [`AS AUTO CDC ${flow.once === true ? "ONCE " : ""}INTO ${target}`, ...printChanges(flow)];
    case "auto-cdc-from-snapshot":
      return [`AS AUTO CDC ${flow.once === true ? "ONCE " : ""}INTO ${target}`, ...printSnapshot(flow)];
  }
}

function printChanges(flow: AutoCdcFlow): string[] {
  return [
    `FROM ${printText(flow.source)}`,
    `KEYS ${printNames(flow.keys)}`,
    ...printIgnoreNull(flow.ignoreNullUpdates),
    ...printExpression("APPLY AS DELETE WHEN", flow.applyAsDeletes),
    ...printExpression("APPLY AS TRUNCATE WHEN", flow.applyAsTruncates),
    ...printExpression("SEQUENCE BY", flow.sequenceBy),
    ...printExpression("SYSTEM SEQUENCE BY", flow.systemSequenceBy),
    ...printChoice("COLUMNS", flow.columnList, flow.exceptColumnList),
    flow.storedAs === "bitemporal" ? "STORED AS BITEMPORAL" : printStoredAs(flow.storedAs),
    ...printChoice("TRACK HISTORY ON", flow.trackHistoryColumnList, flow.trackHistoryExceptColumnList),
    ...(flow.columnsToUpdate === undefined ? [] : [`COLUMNS TO UPDATE ${quoteName(flow.columnsToUpdate)}`]),
    ...printOptions(formatFlowOptions(flow, CDC_OPTIONS)),
  ];
}

function printSnapshot(flow: SnapshotCdcFlow): string[] {
  return [
    `FROM SNAPSHOT ${printText(flow.source)}`,
    ...(flow.version === undefined ? [] : [`WITH VERSION (${printText(flow.version)})`]),
    `KEYS ${printNames(flow.keys)}`,
    printStoredAs(flow.storedAs),
    ...printChoice("TRACK HISTORY ON", flow.trackHistoryColumnList, flow.trackHistoryExceptColumnList),
    ...printOptions(formatFlowOptions(flow, SNAPSHOT_OPTIONS)),
  ];
}

function printStoredAs(storedAs: "scd1" | "scd2"): string {
  return `STORED AS SCD TYPE ${storedAs === "scd1" ? 1 : 2}`;
}

function printExpression(words: string, expression: SqlText | undefined): string[] {
  return expression === undefined ? [] : [`${words} ${printText(expression)}`];
}

function printIgnoreNull(ignore: AutoCdcFlow["ignoreNullUpdates"]): string[] {
  if (ignore === undefined) return [];
  if (ignore === true) return ["IGNORE NULL UPDATES"];
  if ("on" in ignore) return [`IGNORE NULL UPDATES ON ${printNames(ignore.on)}`];
  return [`IGNORE NULL UPDATES ON * EXCEPT ${printNames(ignore.except)}`];
}

function printChoice(words: string, list: readonly string[] | undefined, except: readonly string[] | undefined) {
  if (list !== undefined) return [`${words} ${printNames(list)}`];
  return except === undefined ? [] : [`${words} * EXCEPT ${printNames(except)}`];
}

function printOptions(options: readonly string[]): string[] {
  return options.length === 0 ? [] : [`WITH (${options.join(", ")})`];
}
