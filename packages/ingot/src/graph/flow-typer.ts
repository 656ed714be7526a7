import type { Field } from "../model/data-type.js";
import type { Dataset, Flow } from "../model/definition.js";
import { IngotError } from "../model/error.js";
import { NO_DELTA_TABLE } from "../model/error-catalogue.js";
import { completeName, formatName, type NameDefaults, nameKey } from "../model/name.js";
import type { SqlText } from "../model/position.js";
import type { FilesRelation, Relation } from "../model/query.js";
import type { TableState } from "../model/table.js";
import type { Compiler } from "../sql/compiler.js";
import { eventQuery } from "./change-query.js";
import { changeRules } from "./change-rules.js";
import { keepFileComments } from "./file-comments.js";
import { FilesUnknown, fileInput } from "./file-input.js";
import { mainQuery } from "./flow-query.js";
import { type GraphFlow, type GraphInput, type GraphNode, isTable, kindName, type TableRole } from "./graph.js";
import type { GraphContext } from "./graph-context.js";
import { type InputColumns, inspectInputs } from "./inspect-inputs.js";
import { placed } from "./placed.js";
import { replaceRules } from "./replace-rules.js";
import { type Names, type Resolved, unknownTable } from "./resolve.js";
import { rowSources } from "./row-sources.js";
import { snapshotRules } from "./snapshot-rules.js";
import { checkRead, checkTemporary } from "./streaming.js";
import { checkFeed, columnsRead, refuseViewOptions } from "./table-options.js";
import { noTable } from "./table-rules.js";

export interface ParsedFlow {
  readonly flow: Flow;
  /** Of the language in which its query is written. */
  readonly compiler: Compiler;
  readonly reads: readonly { readonly relation: Relation; readonly resolved: Resolved }[];
  /** What the rules of its dataset refer to. */
  readonly references: readonly { readonly relation: Exclude<Relation, FilesRelation>; readonly resolved: Resolved }[];
}

/** What is typed already, and the tables that are there. */
export interface Typed {
  readonly find: (key: string) => GraphNode | undefined;
  readonly describe: (location: string) => Promise<TableState | undefined>;
}

/** Types the queries of flows, over what their relations stand for. */
export class FlowTyper {
  readonly #names: Names;
  readonly #context: GraphContext;
  readonly #typed: Typed;

  constructor(names: Names, context: GraphContext, typed: Typed) {
    this.#names = names;
    this.#context = context;
    this.#typed = typed;
  }

  /** @param reader the dataset that the flow fills; none for a query that stands alone */
  async type({ flow, compiler, reads }: ParsedFlow, reader?: Dataset): Promise<GraphFlow> {
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
      const node = this.#typed.find(resolved.key);
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
        const keys = node.flows.find(({ changes }) => changes !== undefined)?.changes?.keys ?? [];
        const sourceKey = keys.length === 0 ? {} : { sourceKey: keys };
        const about = { location, name, key, schema, sources: rowSources(node), ...sourceKey, ...options };
        return {
          input: { kind: "table", stream, ...about },
          schema: columnsRead(schema, relation.options),
        };
      }
      const past = await placed(relation.at, () => this.#context.describe(location, asOf));
      if (past === undefined) throw this.#missing(relation, name, defaults);
      return { input: { kind: "table", stream, location, name, version: past.version }, schema: past.schema };
    }
    if (resolved.kind !== "folder") throw new Error("unreachable: files were handled above");
    const state = await placed(relation.at, () =>
      asOf === undefined ? this.#typed.describe(resolved.location) : this.#context.describe(resolved.location, asOf),
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

  /** The tables that the rules of a flow's dataset refer to. */
  async references(
    { flow, references }: ParsedFlow,
    dataset: Dataset,
  ): Promise<Map<string, GraphInput & { readonly kind: "table" }>> {
    const inputs = new Map<string, GraphInput & { readonly kind: "table" }>();
    for (const { relation, resolved } of references) {
      const { input, schema } = await this.#input(relation, resolved, flow.defaults, dataset);
      if (input.kind !== "table" || input.stream || input.options !== undefined)
        throw noTable(dataset, relation.id, relation.at);
      inputs.set(relation.id, { ...input, schema });
    }
    return inputs;
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
