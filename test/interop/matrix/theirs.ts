import { DELTALAKE_TABLES } from "./theirs/deltalake-tables.js";
import type { PeerTable } from "./theirs/peer-table.js";
import { SPARK_TABLES } from "./theirs/spark-tables.js";

/** Tables that peers make, which we read and write again, and which they then read. */
export const PEER_TABLES: readonly PeerTable[] = [...SPARK_TABLES, ...DELTALAKE_TABLES];
