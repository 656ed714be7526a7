import type { ColumnDefinition, Dataset, Expectation, QueryFlow } from "../../model/definition.js";
import type { NameDefaults } from "../../model/name.js";
import { quoteName, quoteString } from "../quote.js";
import { writeIngotProperties } from "./ingot-properties.js";
import { printNames, printTableName, printText } from "./print-text.js";

const KINDS = {
  "streaming-table": "STREAMING TABLE",
  "materialized-view": "MATERIALIZED VIEW",
  "temporary-view": "TEMPORARY VIEW",
  view: "VIEW",
};

const ACTIONS = {
  warn: "",
  drop: " ON VIOLATION DROP ROW",
  fail: " ON VIOLATION FAIL UPDATE",
  quarantine: " ON VIOLATION QUARANTINE ROW",
};

/** The CREATE statement of a dataset, with the query of its own flow. */
export function printDataset(dataset: Dataset, flow: QueryFlow | undefined, defaults: NameDefaults): string {
  const name =
    dataset.kind === "temporary-view" ? quoteName(dataset.name.table) : printTableName(dataset.name, defaults);
  const words = [
    "CREATE",
    ...(dataset.private === true ? ["PRIVATE"] : []),
    KINDS[dataset.kind],
    ...(dataset.ifNotExists === true ? ["IF NOT EXISTS"] : []),
    name,
  ];
  const columns = [
    ...(dataset.columns ?? []).map(printColumn),
    ...(dataset.constraints ?? []).map(printText),
    ...dataset.expectations.map(printExpectation),
  ];
  const head = words.join(" ") + (columns.length === 0 ? "" : ` (\n  ${columns.join(",\n  ")}\n)`);
  const query = flow === undefined ? [] : [`AS ${printText(flow.query)}`];
  return [head, ...printClauses(dataset), ...query].join("\n");
}

function printColumn(column: ColumnDefinition): string {
  return [
    quoteName(column.name),
    ...(column.type === undefined ? [] : [printText(column.type)]),
    ...(column.notNull === true ? ["NOT NULL"] : []),
    ...(column.comment === undefined ? [] : [`COMMENT ${quoteString(column.comment)}`]),
    ...(column.extra ?? []).map(printText),
  ].join(" ");
}

function printExpectation(expectation: Expectation): string {
  const { name, condition, action, wholeTable } = expectation;
  const rule = wholeTable === true ? printText(condition) : `(${printText(condition)})`;
  return `CONSTRAINT ${quoteName(name)} EXPECT ${rule}${ACTIONS[action]}`;
}

function printClauses(dataset: Dataset): string[] {
  const { partitionBy, clusterBy, location, comment, rowFilter, refreshPolicy } = dataset;
  const filterOn = rowFilter === undefined || rowFilter.columns.length === 0 ? "()" : printNames(rowFilter.columns);
  const properties = Object.entries({ ...dataset.properties, ...writeIngotProperties(dataset) })
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${quoteString(key)} = ${quoteString(value)}`);
  return [
    ...(partitionBy === undefined ? [] : [`PARTITIONED BY ${printNames(partitionBy)}`]),
    ...(clusterBy === undefined ? [] : [`CLUSTER BY ${clusterBy === "auto" ? "AUTO" : printNames(clusterBy)}`]),
    ...(location === undefined ? [] : [`LOCATION ${quoteString(location)}`]),
    ...(refreshPolicy === undefined ? [] : [`REFRESH POLICY ${refreshPolicy.toUpperCase()}`]),
    ...(rowFilter === undefined ? [] : [`WITH ROW FILTER ${rowFilter.function} ON ${filterOn}`]),
    ...(comment === undefined ? [] : [`COMMENT ${quoteString(comment)}`]),
    ...(properties.length === 0 ? [] : [`TBLPROPERTIES (\n  ${properties.join(",\n  ")}\n)`]),
  ];
}
