import type { Relation } from "../../relation.js";
import type { Step, TableSpec } from "../steps.js";

/** A program that we did not write and that reads our tables; Spark reads all. */
export type Peer = "deltalake" | "duckdb";

/** Why a peer does not read a table, or not rightly: when it does one day, the test fails and the entry goes. */
export interface Gap {
  readonly why: string;
  /** Of what it says; undefined: it reads other rows than Spark. */
  readonly error?: RegExp;
}

/** A question to Spark about a table, and the answer by the protocol. `$table` stands for the table, `$path` for its path. */
export interface Question {
  readonly sql: string;
  /** Of the answer's columns; default all. */
  readonly pick?: readonly string[];
  readonly rows: Relation["rows"];
}

/** What we write, and who reads it. Both of our engines carry out the steps; the plain model tells the rows. */
export interface WriteFeature {
  readonly name: string;
  readonly table: TableSpec;
  readonly steps: readonly Step[];
  /** The columns in the end, in Spark's DDL, where the steps changed them. */
  readonly columnsAfter?: string;
  /** Peers that do not read the table. */
  readonly unread?: Partial<Record<Peer, Gap>>;
  /** Whether the change feed, from version 0 on, is compared with the model's; DuckDB's extension reads none. */
  readonly changeFeed?: true | { readonly deltalake: Gap };
  readonly questions?: readonly Question[];
  /** Reader and writer version of the protocol in the end, where it must not be higher. */
  readonly protocol?: readonly [number, number];
}
