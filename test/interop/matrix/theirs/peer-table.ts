import type { DeltaErrorCode } from "@ingot/delta";
import type { Relation } from "../../relation.js";
import type { Gap } from "../features/feature.js";
import type { Step } from "../steps.js";

/** A table that a peer made, which we read and then write. */
export interface PeerTable {
  readonly name: string;
  readonly made: MadeBySpark | MadeByDeltalake;
  /** What we then do to it, on the model beside. */
  readonly ours: readonly Step[];
  /** What we cannot write to it, by the code of the refusal. */
  readonly refused?: readonly { readonly step: Step; readonly code: DeltaErrorCode; readonly message: RegExp }[];
  /** We do not read its rows. */
  readonly unread?: { readonly code: DeltaErrorCode; readonly message: RegExp };
  /** Whether its change feed is compared with Spark's reading. */
  readonly changeFeed?: boolean;
  /** Whether Spark finds the ids of rows that we did not insert as they were. */
  readonly keepsRowIds?: boolean;
  /** Peers other than Spark that do not read it. */
  readonly unreadByPeers?: { readonly deltalake?: Gap; readonly duckdb?: Gap };
}

/** SQL; `$table` stands for the table, `$path` for its path. */
export interface MadeBySpark {
  readonly by: "spark";
  readonly sql: readonly string[];
  /** Of the session, for these statements only. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** Steps of operate_delta.py on a table with these columns (Spark's DDL) and rows. */
export interface MadeByDeltalake {
  readonly by: "deltalake";
  readonly columns: string;
  readonly rows: Relation["rows"];
  readonly steps: readonly object[];
}
