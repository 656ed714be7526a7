import type { ChangeRules } from "../model/changes.js";
import type { Field } from "../model/data-type.js";
import type { Dataset, ExternalTable, Flow } from "../model/definition.js";
import type { IngotError } from "../model/error.js";
import type { FileRead } from "../model/file-read.js";
import type { NameDefaults } from "../model/name.js";
import type { SourceColumns } from "../model/quarantine.js";
import type { CompiledQuery, TableOptions } from "../model/query.js";
import type { RowRules } from "../model/rule.js";
import type { TableState } from "../model/table.js";
import type { SingleValueFact } from "../model/table-fact.js";
import type { SourceDrift } from "./drift.js";

/** The datasets of a project with their queries resolved and typed, upstream first. */
export interface Graph {
  readonly defaults: NameDefaults;
  /** In the order of a run: what a node reads stands before it. */
  readonly nodes: readonly GraphNode[];
  /** What was wrong in the logs of tables and could be helped. */
  readonly warnings: readonly string[];
  /** Tables of other pipelines that the definitions name. */
  readonly externals: readonly ExternalTable[];
}

export interface GraphNode {
  /** `nameKey` of the dataset. */
  readonly key: string;
  readonly dataset: Dataset;
  /** Folder of the Delta table; views have none. */
  readonly location?: string;
  /** Columns as they are after a run. */
  readonly schema: readonly Field[];
  /** A view that must be read with STREAM. */
  readonly streaming: boolean;
  readonly flows: readonly GraphFlow[];
  /** Keys of the tables that it reads, views looked through. */
  readonly upstream: ReadonlySet<string>;
  /** Columns that should have one value after a run. */
  readonly singleValues?: readonly SingleValueFact[];
  /** The table before the run. */
  readonly existing?: TableState;
  /** Why nothing is known of its columns: `schema` is empty then, and what reads it has the same fault. */
  readonly fault?: IngotError;
}

export interface GraphFlow {
  readonly flow: Flow;
  /** Of a change flow: its events. */
  readonly query: CompiledQuery;
  /** How the events of a change flow are applied; absent where the query's rows are the table's. */
  readonly changes?: ChangeRules;
  /** By relation id. */
  readonly inputs: ReadonlyMap<string, GraphInput>;
  /** What its rows must keep: the rules of the dataset that it fills. */
  readonly rules?: RowRules;
  /** The tables that these refer to, by `referenceId`. */
  readonly references?: ReadonlyMap<string, GraphInput & { readonly kind: "table" }>;
  /** Of a dataset with `drift`: what has become of the columns of each table that it reads. */
  readonly drift?: readonly SourceDrift[];
  /** Why its query could not be typed: it has no inputs then, fails when it is planned, and holds up no other. */
  readonly fault?: IngotError;
}

export type GraphInput =
  | {
      readonly kind: "files";
      readonly stream: boolean;
      readonly read: FileRead;
      /** All that the query sees but `_metadata`. */
      readonly columns: readonly Field[];
    }
  /** A Delta table: of this project (`key`), or another's. */
  | {
      readonly kind: "table";
      readonly stream: boolean;
      readonly location: string;
      readonly name: string;
      readonly key?: string;
      /** The columns that the query was typed with; absent: those of the version that is read. */
      readonly schema?: readonly Field[];
      /** Time travel: always this version. */
      readonly version?: bigint;
      /** The columns by which changes are applied to it, where that is known. */
      readonly sourceKey?: readonly string[];
      /** Its columns that say where a row comes from. */
      readonly sources?: SourceColumns;
      /** What is asked of it beside its rows. */
      readonly options?: TableOptions;
    }
  | { readonly kind: "view"; readonly stream: boolean; readonly view: GraphFlow };

/** A refresh adds columns to those that the table has, a reset takes the query's, an excluded table stays as it is. */
export type TableRole = "refresh" | "reset" | "excluded";

export function isTable(dataset: Dataset): boolean {
  return dataset.kind === "streaming-table" || dataset.kind === "materialized-view";
}

/** Whether a flow into a streaming table takes all rows of its sources in each batch, instead of those that are new. */
export function readsWhole(flow: Flow): boolean {
  return flow.kind === "auto-cdc-from-snapshot" || (flow.kind === "replace" && flow.replaceWhere !== undefined);
}

/** Spark's words for a kind, in messages. */
export function kindName(dataset: Dataset): string {
  return dataset.kind.replace("-", " ");
}
