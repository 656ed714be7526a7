import type { Field } from "../model/data-type.js";
import type { Dataset } from "../model/definition.js";
import { IngotError } from "../model/error.js";
import { formatName } from "../model/name.js";
import type { TableState } from "../model/table.js";
import { changedColumns } from "./change-rules.js";
import { FilesAbsent, FilesUnknown } from "./file-input.js";
import { FlowTyper, type ParsedFlow } from "./flow-typer.js";
import { type GraphFlow, type GraphNode, isTable } from "./graph.js";
import type { GraphContext } from "./graph-context.js";
import { invalidEventRules, setsEventsAside } from "./invalid-events.js";
import { layoutOf } from "./layout.js";
import { placed } from "./placed.js";
import { definitionPath, privateFolder, tableFolder } from "./places.js";
import type { Names } from "./resolve.js";
import { markRising } from "./rising-sequence.js";
import { typeRules } from "./rules.js";
import { checkSharedTarget } from "./shared-target.js";
import { checkFlowKind } from "./streaming.js";
import { refuseSharedTable, singleValues } from "./table-rules.js";
import { targetSchema } from "./target-schema.js";

/** Types the nodes one after the other, upstream first; knows those before. */
export class GraphTyper {
  readonly #nodes = new Map<string, GraphNode>();
  readonly #names: Names;
  readonly #context: GraphContext;
  readonly #parsed: ReadonlyMap<string, readonly ParsedFlow[]>;
  readonly #states = new Map<string, TableState | undefined>();
  readonly #flows: FlowTyper;
  /** Datasets and flows that are left out of the run, each with the reason. */
  readonly #leftOut = new Map<string, string>();

  constructor(names: Names, context: GraphContext, parsed: ReadonlyMap<string, readonly ParsedFlow[]>) {
    this.#names = names;
    this.#context = context;
    this.#parsed = parsed;
    this.#flows = new FlowTyper(names, context, {
      find: (key) => this.#find(key),
      describe: (location) => this.#describe(location),
    });
  }

  /** In the order in which they were typed. */
  get nodes(): GraphNode[] {
    return [...this.#nodes.values()];
  }

  /** Of all tables that were looked at, and what is left out. */
  get warnings(): string[] {
    return [...[...this.#states.values()].flatMap((state) => state?.warnings ?? []), ...this.#leftOut.values()];
  }

  /** Types a query that stands alone, over what was typed before. */
  typeQuery(flow: ParsedFlow): Promise<GraphFlow> {
    return this.#flows.type(flow);
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
      if (this.#leftOut.has(missing)) {
        const upstream = this.#names.datasets.get(missing)?.name;
        this.#leaveOut(
          key,
          formatName(dataset.name),
          `so is ${upstream === undefined ? missing : formatName(upstream)}`,
        );
      }
      return;
    }
    const flows: GraphFlow[] = [];
    const isAlone = parsed.length === 1 && !parsed.some(({ flow }) => setsEventsAside(dataset, flow));
    const absent: { readonly flow: string; readonly why: string }[] = [];
    const untyped: UntypedFlow[] = [];
    for (const flow of parsed) {
      try {
        const references = await this.#flows.references(flow, dataset);
        const typed = markRising(await this.#flows.type(flow, dataset), isAlone);
        flows.push(references.size === 0 ? typed : { ...typed, references });
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
    const single = singleValues(dataset, schema);
    this.know({
      ...found,
      ...(single.length === 0 ? {} : { singleValues: single }),
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
    refuseSharedTable(dataset, flows);
    for (const flow of flows) {
      const references = new Map([...(flow.references ?? [])].map(([id, { schema = [] }]) => [id, schema]));
      const before = invalidEventRules(flow);
      const rules = await typeRules(dataset, flow.query.schema, schema, this.#context, references, before);
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

export function isStreaming(flow: GraphFlow): boolean {
  return [...flow.inputs.values()].some((input) => input.stream);
}

/** Keys of the tables below a query, views looked through. */
function tablesRead(flow: GraphFlow): Set<string> {
  const keys = new Set<string>();
  for (const input of [...flow.inputs.values(), ...(flow.references?.values() ?? [])]) {
    if (input.kind === "table" && input.key !== undefined) keys.add(input.key);
    if (input.kind === "view") for (const key of tablesRead(input.view)) keys.add(key);
  }
  return keys;
}

/** Keys of the datasets that the flows name. */
export function readKeys(flows: readonly ParsedFlow[]): Set<string> {
  return new Set(
    flows.flatMap(({ reads, references }) =>
      [...reads, ...references].flatMap(({ resolved }) => (resolved.kind === "dataset" ? [resolved.key] : [])),
    ),
  );
}
