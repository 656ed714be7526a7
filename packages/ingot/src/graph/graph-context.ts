import type { Contract } from "../model/drift.js";
import type { TableName } from "../model/name.js";
import type { AsOf, Dialect } from "../model/query.js";
import type { DeclaredTable, TableState } from "../model/table.js";
import type { Compiler, ExpressionCompiler } from "../sql/compiler.js";
import type { FileColumns } from "./file-input.js";
import type { TableRole } from "./graph.js";
import type { Places } from "./places.js";

/** What the graph asks of the world. */
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
