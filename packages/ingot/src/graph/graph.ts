import type { Field } from "../model/data-type.js";
import type { Dataset, ExternalTable, Flow, QueryFlow } from "../model/definition.js";
import type { FileRead } from "../model/file-read.js";
import type { NameDefaults } from "../model/name.js";
import type { CompiledQuery } from "../model/query.js";
import type { TableState } from "../model/table.js";

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
  /** The table before the run. */
  readonly existing?: TableState;
}

export interface GraphFlow {
  readonly flow: QueryFlow;
  readonly query: CompiledQuery;
  /** By relation id. */
  readonly inputs: ReadonlyMap<string, GraphInput>;
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
    }
  | { readonly kind: "view"; readonly stream: boolean; readonly view: GraphFlow };

/** A refresh adds columns to those that the table has, a reset takes the query's, an excluded table stays as it is. */
export type TableRole = "refresh" | "reset" | "excluded";

export function isTable(dataset: Dataset): boolean {
  return dataset.kind === "streaming-table" || dataset.kind === "materialized-view";
}

/** Spark's words for a kind, in messages. */
export function kindName(dataset: Dataset): string {
  return dataset.kind.replace("-", " ");
}

export function isQueryFlow(flow: Flow): flow is QueryFlow {
  return flow.kind === "query";
}
