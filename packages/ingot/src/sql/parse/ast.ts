import type { DataType } from "../../model/data-type.js";
import type { Relation } from "../../model/query.js";

/**
 * The tree of a Spark SQL query. Every node has the offset `at` where it starts in the query's text. The tree holds
 * what is supported and nothing else: whatever has no place here was refused while the text was read.
 */
export interface Query {
  readonly at: number;
  readonly ctes: readonly Cte[];
  readonly body: QueryBody;
  readonly orderBy: readonly SortKey[];
  readonly limit?: Expression;
  readonly offset?: Expression;
}

export interface Cte {
  readonly at: number;
  readonly name: string;
  readonly columns: readonly string[];
  readonly query: Query;
}

export type QueryBody = Select | SetOperation | Values | { readonly kind: "query"; readonly query: Query };

export interface Select {
  readonly kind: "select";
  readonly at: number;
  readonly distinct: boolean;
  readonly items: readonly SelectItem[];
  readonly from?: FromItem;
  readonly where?: Expression;
  readonly groupBy: readonly Expression[] | "all";
  readonly having?: Expression;
  readonly qualify?: Expression;
}

export interface SetOperation {
  readonly kind: "set";
  readonly at: number;
  readonly op: "UNION" | "INTERSECT" | "EXCEPT";
  readonly all: boolean;
  readonly left: QueryBody;
  readonly right: QueryBody;
}

export interface Values {
  readonly kind: "values";
  readonly at: number;
  readonly rows: readonly (readonly Expression[])[];
}

export type SelectItem =
  | { readonly kind: "expression"; readonly at: number; readonly expression: Expression; readonly alias?: string }
  | {
      readonly kind: "star";
      readonly at: number;
      readonly qualifier: readonly string[];
      readonly except: readonly Name[];
    };

/** A column or field name with its place. */
export interface Name {
  readonly at: number;
  readonly name: string;
}

export type FromItem = RelationRef | CteRef | DerivedTable | Join;

interface Aliased {
  readonly at: number;
  readonly alias?: string;
  readonly columns: readonly string[];
}
export interface RelationRef extends Aliased {
  readonly kind: "relation";
  readonly relation: Relation;
}
export interface CteRef extends Aliased {
  readonly kind: "cte";
  readonly cte: Cte;
}
export interface DerivedTable extends Aliased {
  readonly kind: "derived";
  readonly query: Query;
}
export interface Join {
  readonly kind: "join";
  readonly at: number;
  readonly type: JoinType;
  readonly left: FromItem;
  readonly right: FromItem;
  readonly on?: Expression;
  readonly using?: readonly Name[];
  readonly natural?: boolean;
}
export type JoinType = "inner" | "left" | "right" | "full" | "cross" | "semi" | "anti";

export interface SortKey {
  readonly expression: Expression;
  readonly descending: boolean;
  /** Where NULL stands; absent: first when ascending, last when descending. */
  readonly nullsFirst?: boolean;
}

export type Expression =
  | ColumnRef
  | Literal
  | Call
  | Binary
  | Unary
  | IsNull
  | InList
  | InQuery
  | Exists
  | ScalarQuery
  | Like
  | Case
  | Cast
  | FieldAccess
  | Subscript;

interface Node {
  readonly at: number;
}
/** `a`, `t.a`, `t.a.field`: one path, for the binder to take apart. */
export interface ColumnRef extends Node {
  readonly kind: "column";
  readonly path: readonly string[];
}
/** `number` keeps the text as written, with its suffix and a leading minus; strings are decoded. */
export interface Literal extends Node {
  readonly kind: "literal";
  readonly type: "number" | "string" | "boolean" | "null" | "binary" | "date" | "timestamp" | "timestamp_ntz";
  readonly value: string;
}
export interface Call extends Node {
  readonly kind: "call";
  readonly name: string;
  readonly args: readonly Argument[];
  /** `count(*)`. */
  readonly star: boolean;
  readonly distinct: boolean;
  readonly filter?: Expression;
  readonly over?: Window;
  /** Written in a form of its own, `extract(DAY FROM x)`, by which Spark names a column: not by the function. */
  readonly unnamed?: true;
}
/** The name is that of `struct(x AS name)`. */
export interface Argument {
  readonly expression: Expression;
  readonly name?: string;
}
export interface Window {
  readonly at: number;
  readonly partitionBy: readonly Expression[];
  readonly orderBy: readonly SortKey[];
  readonly frame?: Frame;
}
export interface Frame {
  readonly unit: "ROWS" | "RANGE";
  readonly start: FrameBound;
  readonly end: FrameBound;
}
export type FrameBound =
  | { readonly kind: "unbounded preceding" | "unbounded following" | "current row" }
  | { readonly kind: "preceding" | "following"; readonly rows: number };

export type BinaryOperator = ArithmeticOperator | ComparisonOperator | "||" | "AND" | "OR";
export type ArithmeticOperator = "+" | "-" | "*" | "/" | "%" | "DIV";
export type ComparisonOperator = "=" | "<>" | "<" | "<=" | ">" | ">=" | "<=>";

export interface Binary extends Node {
  readonly kind: "binary";
  readonly op: BinaryOperator;
  readonly left: Expression;
  readonly right: Expression;
}
export interface Unary extends Node {
  readonly kind: "unary";
  readonly op: "-" | "+" | "NOT";
  readonly operand: Expression;
}
export interface IsNull extends Node {
  readonly kind: "is-null";
  readonly negated: boolean;
  readonly operand: Expression;
}
export interface InList extends Node {
  readonly kind: "in-list";
  readonly operand: Expression;
  readonly list: readonly Expression[];
}
export interface InQuery extends Node {
  readonly kind: "in-query";
  readonly operand: Expression;
  readonly query: Query;
}
export interface Exists extends Node {
  readonly kind: "exists";
  readonly query: Query;
}
export interface ScalarQuery extends Node {
  readonly kind: "scalar-query";
  readonly query: Query;
}
export interface Like extends Node {
  readonly kind: "like";
  readonly operand: Expression;
  readonly pattern: Expression;
  readonly escapeChar?: string;
}
export interface Case extends Node {
  readonly kind: "case";
  readonly operand?: Expression;
  readonly branches: readonly { readonly condition: Expression; readonly result: Expression }[];
  readonly otherwise?: Expression;
}
export interface Cast extends Node {
  readonly kind: "cast";
  readonly operand: Expression;
  readonly type: DataType;
  readonly try: boolean;
}
export interface FieldAccess extends Node {
  readonly kind: "field";
  readonly operand: Expression;
  readonly field: string;
}
export interface Subscript extends Node {
  readonly kind: "subscript";
  readonly operand: Expression;
  readonly index: Expression;
}
