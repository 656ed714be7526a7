import type { AutoCdcFlow, Dataset, Flow } from "../model/definition.js";
import { IngotError } from "../model/error.js";
import { formatName, nameKey } from "../model/name.js";
import { type Position, positionAt } from "../model/position.js";
import { OWNER_PROPERTY, RESET_PROPERTY, TOMBSTONE_PROPERTY } from "../model/table.js";
import { isTable } from "./graph.js";
import { unknownTableRules } from "./table-rules.js";

/**
 * `delta.*` properties that ask something of every writer that a run does not do, and the versions of the protocol, which
 * a table gets by its other properties. All others of Delta the engine keeps, and refuses those that are none.
 */
const UNKEPT_DELTA_PROPERTIES =
  /^delta\.(autooptimize(\.optimizewrite)?|compatibility\.symlinkformatmanifest\.enabled|constraints\..*|dataskippingstringprefixlength|min(reader|writer)version|parquet\..*|random.*|universalformat\..*)$/i;

/**
 * Refuses, by name, each option and clause that has no implementation yet, and a property whose value says nothing;
 * nothing declared is ignored.
 */
export function refuseUnimplemented(
  datasets: readonly Dataset[],
  flows: Iterable<Flow>,
  catalog: string,
  errors: IngotError[],
): void {
  for (const dataset of datasets) {
    const name = formatName(dataset.name);
    if (dataset.name.catalog.toLowerCase() !== catalog.toLowerCase()) errors.push(otherCatalog(name, dataset));
    for (const [what, at] of unimplemented(dataset)) errors.push(notSupported(what, name, at));
    const reset = dataset.properties[RESET_PROPERTY];
    if (reset !== undefined && !/^(true|false)$/i.test(reset)) errors.push(noBoolean(name, reset, dataset.at));
    const seconds = dataset.properties[TOMBSTONE_PROPERTY];
    if (seconds !== undefined && !/^\d{1,12}$/.test(seconds)) errors.push(noSeconds(name, seconds, dataset.at));
  }
  const tables = new Map([...datasets].map((dataset) => [nameKey(dataset.name), dataset]));
  for (const flow of flows) {
    const target = tables.get(nameKey(flow.target));
    if (target?.backfill !== undefined && flow.kind !== "query")
      errors.push(
        notSupported("the option `backfill` of a table that changes fill", formatName(target.name), target.at),
      );
    if (flow.kind !== "auto-cdc") continue;
    for (const what of unimplementedChanges(flow)) errors.push(notSupported(what, `flow ${flow.name}`, flow.at));
  }
}

function* unimplementedChanges(flow: AutoCdcFlow): Generator<string> {
  if (flow.storedAs === "bitemporal") yield "STORED AS BITEMPORAL";
  if (flow.systemSequenceBy !== undefined) yield "SYSTEM SEQUENCE BY";
}

function* unimplemented(d: Dataset): Generator<[what: string, at: Position]> {
  for (const { name, at } of d.kind === "view" ? d.expectations : [])
    yield [`the expectation \`${name}\` of a view that outlives the run`, at];
  yield* unknownTableRules(d);
  if (d.quarantine !== undefined && d.kind === "view") yield ["the option `quarantine` of a view", d.at];
  if (d.gate !== undefined && d.kind === "view") yield ["the option `gate` of a view", d.at];
  if (d.drift !== undefined && d.kind === "view") yield ["the option `drift` of a view that outlives the run", d.at];
  if (d.tags !== undefined) yield ["the option `tags`", d.at];
  if (d.backfill !== undefined && d.kind !== "streaming-table")
    yield ["the option `backfill` of what is no streaming table", d.at];
  if (d.dialect !== undefined && d.kind === "streaming-table")
    yield [`the option \`dialect\` of a streaming table, whose rows Ingot must see one by one,`, d.at];
  if (d.rowFilter !== undefined) yield ["WITH ROW FILTER", d.at];
  if (d.clusterBy === "auto") yield ['CLUSTER BY AUTO (`clusterBy: "auto"`)', d.at];
  if (d.constraints !== undefined && d.constraints.length > 0) yield ["PRIMARY KEY / FOREIGN KEY", d.at];
  for (const c of d.columns ?? []) {
    for (const extra of c.extra ?? []) yield [`\`${extra.text}\` of the column ${c.name}`, positionAt(extra, 0)];
    if (c.notNull === true && !isTable(d)) yield [`NOT NULL of the column ${c.name} of a view`, d.at];
  }
  for (const key of Object.keys(d.properties)) {
    if (UNKEPT_DELTA_PROPERTIES.test(key)) yield [`the table property \`${key}\``, d.at];
    if (key === OWNER_PROPERTY) yield [`setting \`${key}\` by hand`, d.at];
    else if (key.startsWith("pipelines.") && ![RESET_PROPERTY, TOMBSTONE_PROPERTY].includes(key))
      yield [`the table property \`${key}\``, d.at];
  }
  if (!isTable(d) && d.location !== undefined) yield ["LOCATION of a view", d.at];
  if (!isTable(d) && Object.keys(d.properties).length > 0) yield ["table properties of a view", d.at];
}

function noBoolean(object: string, value: string, at: Position): IngotError {
  return new IngotError("BAD_OPTION", `${object}: the table property \`${RESET_PROPERTY}\` is '${value}'`, {
    at,
    object,
    hint: "Write 'true' or 'false'.",
  });
}

function noSeconds(object: string, value: string, at: Position): IngotError {
  return new IngotError("BAD_OPTION", `${object}: the table property \`${TOMBSTONE_PROPERTY}\` is '${value}'`, {
    at,
    object,
    hint: "Write a whole number of seconds, or leave it out: then tombstones are kept for ever.",
  });
}

/** A catalog that the spec maps is another project's: it is read. */
function otherCatalog(name: string, { at, name: { catalog } }: Dataset): IngotError {
  return new IngotError("NOT_SUPPORTED", `${name}: a dataset cannot be declared in the catalog ${catalog}`, {
    at,
    object: name,
    hint: `Declare it in the project's own catalog. Tables of ${catalog} are read by their three-part names.`,
  });
}

function notSupported(what: string, object: string, at: Position): IngotError {
  return new IngotError("NOT_SUPPORTED", `${object}: ${what} has no implementation yet`, {
    at,
    object,
    hint: "Leave it out for now: Ingot refuses what it cannot do instead of ignoring it.",
  });
}
