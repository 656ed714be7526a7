import type { Field } from "../model/data-type.js";
import type { Dataset, Flow } from "../model/definition.js";
import type { Contract } from "../model/drift.js";
import { IngotError, withPlace } from "../model/error.js";
import { NO_DELTA_TABLE } from "../model/error-catalogue.js";
import { completeName, formatName, type NameDefaults, nameKey, type TableName } from "../model/name.js";
import type { Position, SqlText } from "../model/position.js";
import type { AsOf, Dialect, FilesRelation, Relation } from "../model/query.js";
import type { DeclaredTable, TableState } from "../model/table.js";
import type { Compiler, ExpressionCompiler } from "../sql/compiler.js";
import { eventQuery } from "./change-query.js";
import { changedColumns, changeRules } from "./change-rules.js";
import { keepFileComments } from "./file-comments.js";
import { type FileColumns, FilesAbsent, FilesUnknown, fileInput } from "./file-input.js";
import { mainQuery } from "./flow-query.js";
import { type GraphFlow, type GraphInput, type GraphNode, isTable, kindName, type TableRole } from "./graph.js";
import { type InputColumns, inspectInputs } from "./inspect-inputs.js";
import { invalidEventRules } from "./invalid-events.js";
import { layoutOf } from "./layout.js";
import { definitionPath, type Places, privateFolder, tableFolder } from "./places.js";
import { replaceRules } from "./replace-rules.js";
import { type Names, type Resolved, unknownTable } from "./resolve.js";
import { markRising } from "./rising-sequence.js";
import { rowSources } from "./row-sources.js";
import { refuseSharedKeys, typeRules } from "./rules.js";
import { checkSharedTarget } from "./shared-target.js";
import { snapshotRules } from "./snapshot-rules.js";
import { checkFlowKind, checkRead, checkTemporary } from "./streaming.js";
import { checkFeed, columnsRead, refuseViewOptions } from "./table-options.js";
import { targetSchema } from "./target-schema.js";

export interface GraphContext {
  readonly places: Places;
  /** Of Spark SQL. */
  readonly compiler: Compiler;
  /** Of conditions and values over a row, in Spark SQL whatever a query is written in. */
  readonly compileExpression: ExpressionCompiler;
  /** Of the SQL that the engine has of its own. */
  readonly dialects: Readonly<Partial<Record<Dialect, Compiler>>>;
  /** The table in a folder, or undefined. */
  readonly describe: (location: string, asOf?: AsOf) => Promise<TableState | undefined>;
  /** The properties of a declared table as the engine keeps them. */
  readonly declare: (table: DeclaredTable) => Promise<Readonly<Record<string, string>>>;
  readonly fileColumns: FileColumns;
  /** What a dataset has taken over of the columns of its sources; undefined before its first run. */
  readonly contract: (dataset: TableName) => Promise<Contract | undefined>;
  /** What is to happen with a table: it decides which columns its readers find. */
  readonly role: (key: string) => TableRole;
}

export interface ParsedFlow {
  readonly flow: Flow;
  /** Of the language in which its query is written. */
  readonly compiler: Compiler;
  readonly reads: readonly { readonly relation: Relation; readonly resolved: Resolved }[];
}

/** Types the nodes one after the other, upstream first; knows those before. */
export class GraphTyper {
  readonly #nodes = new Map<string, GraphNode>();
  readonly #names: Names;
  readonly #context: GraphContext;
  readonly #parsed: ReadonlyMap<string, readonly ParsedFlow[]>;
  readonly #states = new Map<string, TableState | undefined>();
  /** Datasets and flows that are left out of the run, each with the reason. */
  readonly #leftOut = new Map<string, string>();

  constructor(names: Names, context: GraphContext, parsed: ReadonlyMap<string, readonly ParsedFlow[]>) {
    this.#names = names;
    this.#context = context;
    this.#parsed = parsed;
  }

  /** In the order in which they were typed. */
  get nodes(): GraphNode[] {
    return [...this.#nodes.values()];
  }

  /** Of all tables that were looked at, and what is left out. */
  get warnings(): string[] {
    return [...[...this.#states.values()].flatMap((state) => state?.warnings ?? []), ...this.#leftOut.values()];
  }

  know(node: GraphNode): void {
    this.#nodes.set(node.key, node);
  }

  /** Reads the logs of all tables of the project side by side; gives what is wrong with them. */
  async describeTables(): Promise<IngotError[]> {
    const tables = [...this.#names.datasets.values()].filter(isTable);
    const faults = tables.map((dataset) =>
      placed(dataset.at, () => this.#describe(this.#locationOf(dataset))).then(
        () => [],
        (error: unknown) => {
          if (error instanceof IngotError) return [error];
          throw error;
        },
      ),
    );
    return (await Promise.all(faults)).flat();
  }

  async add(key: string): Promise<void> {
    const dataset = this.#names.datasets.get(key);
    const parsed = this.#parsed.get(key) ?? [];
    // A fault upstream was reported there; what depends on it cannot be typed.
    const missing = [...readKeys(parsed)].find((read) => this.#find(read) === undefined);
    if (dataset === undefined) return;
    if (missing !== undefined) {
      if (this.#leftOut.has(missing)) this.#leaveOut(key, formatName(dataset.name), `so is ${missing}`);
      return;
    }
    const flows: GraphFlow[] = [];
    const isAlone = parsed.length === 1;
    const absent: { readonly flow: string; readonly why: string }[] = [];
    const untyped: UntypedFlow[] = [];
    for (const flow of parsed) {
      try {
        flows.push(markRising(await this.typeFlow(flow, dataset), isAlone));
      } catch (error) {
        if (error instanceof FilesAbsent) absent.push({ flow: flow.flow.name, why: error.message });
        else if (error instanceof FilesUnknown) untyped.push({ ...flow, fault: error.fault });
        else throw error;
      }
    }
    const [first] = absent;
    if (first !== undefined && flows.length + untyped.length === 0) {
      this.#leaveOut(key, formatName(dataset.name), first.why);
      return;
    }
    for (const { flow, why } of absent)
      this.#leaveOut(`${key} ${flow}`, `The flow ${flow} of ${formatName(dataset.name)}`, why);
    const streaming = flows.some(isStreaming);
    for (const flow of flows) {
      const fault = checkFlowKind(dataset, flow.flow, isStreaming(flow));
      if (fault !== undefined) throw fault;
    }
    checkSharedTarget(dataset, flows);
    const location = isTable(dataset) ? this.#locationOf(dataset) : undefined;
    if (location !== undefined) this.#refuseShared(location, dataset);
    const existing = location === undefined ? undefined : await this.#describe(location);
    const found = {
      key,
      ...(location === undefined ? {} : { location }),
      streaming: dataset.kind === "temporary-view" && streaming,
      upstream: new Set([...flows.flatMap((f) => [...tablesRead(f)]), ...this.#tablesNamed(untyped)]),
      ...(existing === undefined ? {} : { existing }),
    };
    const [faulty] = untyped;
    if (faulty !== undefined && flows.length === 0) {
      const known = existing === undefined ? { schema: [], fault: faulty.fault } : { schema: existing.schema };
      this.know({ ...found, ...known, dataset, flows: untyped.map(withoutQuery) });
      return;
    }
    const schema = this.#schemaOf(key, dataset, flows, existing);
    this.know({
      ...found,
      dataset: location === undefined ? dataset : await this.#declared(key, dataset, schema, existing),
      schema,
      flows: [...(await this.#withRules(dataset, flows, schema)), ...untyped.map(withoutQuery)],
    });
  }

  /** Keys of the tables below queries that are not typed, views looked through. */
  #tablesNamed(flows: readonly ParsedFlow[]): string[] {
    return [...readKeys(flows)].flatMap((key) => {
      const node = this.#find(key);
      return node?.location === undefined ? [...(node?.upstream ?? [])] : [key];
    });
  }

  async #withRules(
    dataset: Dataset,
    flows: readonly GraphFlow[],
    schema: readonly Field[],
  ): Promise<readonly GraphFlow[]> {
    const ruled: GraphFlow[] = [];
    refuseSharedKeys(dataset, flows);
    for (const flow of flows) {
      const rules = await typeRules(dataset, flow.query.schema, schema, this.#context, invalidEventRules(flow));
      if (rules?.quarantine !== undefined) this.#refuseShared(rules.quarantine.location, dataset);
      ruled.push(rules === undefined ? flow : { ...flow, rules });
    }
    return ruled;
  }

  #leaveOut(key: string, what: string, why: string): void {
    this.#leftOut.set(key, `${what} is left out of the run: ${why}.`);
  }

  async #declared(
    key: string,
    dataset: Dataset,
    schema: readonly Field[],
    existing: TableState | undefined,
  ): Promise<Dataset> {
    const grows = dataset.kind === "streaming-table" && this.#context.role(key) === "refresh";
    const layout = layoutOf(dataset, schema, grows ? existing : undefined);
    const table = { name: formatName(dataset.name), schema, properties: dataset.properties, ...layout };
    const properties = await placed(dataset.at, () => this.#context.declare(table));
    return { ...dataset, properties, ...layout };
  }

  #schemaOf(
    key: string,
    dataset: Dataset,
    flows: readonly GraphFlow[],
    existing: TableState | undefined,
  ): readonly Field[] {
    const role = this.#context.role(key);
    if (role === "excluded" && existing !== undefined) return existing.schema;
    const inferred = flows.map((f) => (f.changes === undefined ? f.query.schema : changedColumns(f.changes)));
    return targetSchema(dataset, inferred, role === "reset" ? undefined : existing);
  }

  /** @param reader the dataset that the flow fills; none for a query that stands alone */
  async typeFlow({ flow, compiler, reads }: ParsedFlow, reader?: Dataset): Promise<GraphFlow> {
    const found = new Map<string, InputColumns>();
    for (const { relation, resolved } of reads)
      found.set(
        relation.id,
        relation.kind === "files"
          ? await this.#files(relation, flow, reads, reader)
          : await this.#input(relation, resolved, flow.defaults, reader),
      );
    const inspected =
      reader?.drift === undefined
        ? undefined
        : await inspectInputs({ flow, compiler }, found, reader, await this.#context.contract(reader.name));
    const schemas = new Map<string, readonly Field[]>();
    const inputs = new Map<string, GraphInput>();
    for (const [id, { input, schema }] of inspected?.found ?? found) {
      inputs.set(id, input);
      schemas.set(id, schema);
    }
    const typed = await this.#compileFlow({ flow, compiler }, schemas, inputs, reader);
    return inspected === undefined ? typed : { ...typed, drift: inspected.drift };
  }

  async #compileFlow(
    { flow, compiler }: Pick<ParsedFlow, "flow" | "compiler">,
    schemas: ReadonlyMap<string, readonly Field[]>,
    inputs: ReadonlyMap<string, GraphInput>,
    reader: Dataset | undefined,
  ): Promise<GraphFlow> {
    const compile = async (text: SqlText) => keepFileComments(await compiler.compile(text, schemas), inputs);
    const main = await compile(mainQuery(flow));
    if (flow.kind === "auto-cdc-from-snapshot")
      return { flow, query: main, inputs, changes: snapshotRules(flow, main, reader?.expectations ?? []) };
    if (flow.kind === "replace")
      return { flow, query: main, inputs, changes: await replaceRules(flow, main, this.#context.compileExpression) };
    if (flow.kind !== "auto-cdc") return { flow, query: main, inputs };
    const events = eventQuery(flow, main.schema);
    await compiler.relations(events);
    const query = await compile(events);
    return { flow, query, inputs, changes: changeRules(flow, main, query) };
  }

  async #files(
    relation: FilesRelation,
    flow: Flow,
    reads: ParsedFlow["reads"],
    reader: Dataset | undefined,
  ): Promise<InputColumns> {
    const others = reads.flatMap(({ relation: other }) => (other.kind === "files" ? [other.files] : []));
    const use = {
      ...(reader !== undefined && isTable(reader) ? { flow } : {}),
      besides: others.filter((other) => other !== relation.files),
      role: this.#roleOf(reader),
    };
    // A query that stands alone has no run to be left out of.
    const needed: FilesRelation =
      reader === undefined ? { ...relation, files: { ...relation.files, onMissing: "fail" } } : relation;
    try {
      const input = await placed(relation.at, () => fileInput(needed, use, this.#context.fileColumns));
      return { input, schema: input.columns };
    } catch (error) {
      throw reader !== undefined && error instanceof IngotError ? new FilesUnknown(error) : error;
    }
  }

  /** A view gives its rows to whatever is refreshed above it. */
  #roleOf(reader: Dataset | undefined): TableRole {
    if (reader === undefined) return "excluded";
    if (isTable(reader)) return this.#context.role(nameKey(reader.name));
    const isRead = [...this.#names.datasets.keys()].some((key) => this.#context.role(key) !== "excluded");
    return isRead ? "refresh" : "excluded";
  }

  async #input(
    relation: Exclude<Relation, FilesRelation>,
    resolved: Resolved,
    defaults: NameDefaults,
    reader: Dataset | undefined,
  ): Promise<InputColumns> {
    const { stream, asOf } = relation;
    const options = relation.options === undefined ? {} : { options: relation.options };
    if (stream && asOf !== undefined) {
      throw new IngotError("UNSUPPORTED_CLAUSE", "A streaming read of a past version has no meaning here", {
        at: relation.at,
        hint: "Leave STREAM or AS OF out.",
      });
    }
    if (resolved.kind === "dataset") {
      const node = this.#find(resolved.key);
      if (node === undefined) throw new Error("unreachable: upstream nodes come first");
      if (node.fault !== undefined) throw reader === undefined ? node.fault : new FilesUnknown(node.fault);
      if (reader === undefined && node.streaming) throw noRows(relation, node.dataset);
      const fault = checkRead(relation, node.dataset, node.streaming) ?? checkTemporary(relation, node.dataset, reader);
      if (fault !== undefined) throw fault;
      const [view] = node.flows;
      if (node.location === undefined && view !== undefined) {
        if (asOf !== undefined) throw noHistory(relation, node.dataset);
        const refused = refuseViewOptions(relation, formatName(node.dataset.name));
        if (refused !== undefined) throw refused;
        return { input: { kind: "view", stream, view }, schema: node.schema };
      }
      const location = node.location ?? "";
      const name = formatName(node.dataset.name);
      const unrecorded = checkFeed(relation, name, node.dataset.properties);
      if (unrecorded !== undefined) throw unrecorded;
      if (asOf === undefined) {
        const { key, schema } = node;
        return {
          input: { kind: "table", stream, location, name, key, schema, sources: rowSources(node), ...options },
          schema: columnsRead(schema, relation.options),
        };
      }
      const past = await placed(relation.at, () => this.#context.describe(location, asOf));
      if (past === undefined) throw this.#missing(relation, name, defaults);
      return { input: { kind: "table", stream, location, name, version: past.version }, schema: past.schema };
    }
    if (resolved.kind !== "folder") throw new Error("unreachable: files were handled above");
    const state = await placed(relation.at, () =>
      asOf === undefined ? this.#describe(resolved.location) : this.#context.describe(resolved.location, asOf),
    );
    if (state === undefined) throw this.#missing(relation, resolved.name, defaults);
    const unrecorded = checkFeed(relation, resolved.name, state.properties);
    if (unrecorded !== undefined) throw unrecorded;
    return {
      input: {
        kind: "table",
        stream,
        location: resolved.location,
        name: resolved.name,
        ...(asOf === undefined ? { schema: state.schema } : { version: state.version }),
        ...options,
      },
      schema: columnsRead(state.schema, relation.options),
    };
  }

  #missing(relation: Relation, name: string, defaults: NameDefaults): IngotError {
    if (relation.kind === "table") return unknownTable(relation, completeName(relation.name, defaults), this.#names);
    return new IngotError(NO_DELTA_TABLE, `${name} holds no Delta table`, {
      at: relation.at,
      object: name,
      hint: "Check the path: a Delta table is a folder with a _delta_log in it.",
    });
  }

  #locationOf(dataset: Dataset): string {
    if (dataset.location !== undefined) return definitionPath(dataset.location, this.#context.places);
    return dataset.private === true
      ? privateFolder(dataset.name, this.#context.places)
      : tableFolder(dataset.name, this.#context.places, dataset.at);
  }

  /** One owner a table: two datasets in one folder would each take the other's rows for their own. */
  #refuseShared(location: string, dataset: Dataset): void {
    const isThere = (node: GraphNode) =>
      node.location === location || node.flows.some((flow) => flow.rules?.quarantine?.location === location);
    const other = this.nodes.find(isThere);
    if (other === undefined) return;
    const name = formatName(dataset.name);
    throw new IngotError(
      "LOCATION_ALREADY_EXISTS",
      `${name} and ${formatName(other.dataset.name)} lie in one folder: ${location}`,
      { at: dataset.at, object: name, hint: "Give one of them a folder of its own." },
    );
  }

  async #describe(location: string): Promise<TableState | undefined> {
    if (!this.#states.has(location)) this.#states.set(location, await this.#context.describe(location));
    return this.#states.get(location);
  }

  #find(key: string): GraphNode | undefined {
    return this.#nodes.get(key);
  }
}

interface UntypedFlow extends ParsedFlow {
  readonly fault: IngotError;
}

function withoutQuery({ flow, fault }: UntypedFlow): GraphFlow {
  const query = { reads: [], schema: [], duckdb: "", deterministic: true, preservesRows: false };
  return { flow, query, inputs: new Map(), fault };
}

/** Errors of reading a table stand where the definitions name it. */
async function placed<T>(at: Position, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw error instanceof IngotError ? withPlace(error, at) : error;
  }
}

function noHistory(relation: Relation, view: Dataset): IngotError {
  return new IngotError(
    "UNSUPPORTED_CLAUSE",
    `${formatName(view.name)} is a ${kindName(view)}: it has no past versions`,
    {
      at: relation.at,
      object: formatName(view.name),
      hint: "Leave AS OF out, or write it behind the tables that the view reads.",
    },
  );
}

/** A query that stands alone has no batch, which is what a streaming view gives. */
function noRows(relation: Relation, view: Dataset): IngotError {
  return new IngotError(
    "INCOMPATIBLE_BATCH_VIEW_READ",
    `${formatName(view.name)} is a streaming view: it has rows only in a run`,
    {
      at: relation.at,
      object: formatName(view.name),
      hint: "Query the tables that it reads, or the tables that read it.",
    },
  );
}

export function isStreaming(flow: GraphFlow): boolean {
  return [...flow.inputs.values()].some((input) => input.stream);
}

/** Keys of the tables below a query, views looked through. */
function tablesRead(flow: GraphFlow): Set<string> {
  const keys = new Set<string>();
  for (const input of flow.inputs.values()) {
    if (input.kind === "table" && input.key !== undefined) keys.add(input.key);
    if (input.kind === "view") for (const key of tablesRead(input.view)) keys.add(key);
  }
  return keys;
}

/** Keys of the datasets that the flows name. */
export function readKeys(flows: readonly ParsedFlow[]): Set<string> {
  return new Set(
    flows.flatMap((f) => f.reads.flatMap(({ resolved }) => (resolved.kind === "dataset" ? [resolved.key] : []))),
  );
}
