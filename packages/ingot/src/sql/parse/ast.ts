import type { DataType, IntervalType } from "../../model/data-type.js";
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
  /** ORDER BY ALL: by all columns of the result. */
  readonly orderByAll?: SortDirection;
  /** DISTRIBUTE BY, which changes no result. */
  readonly distributeBy?: readonly Expression[];
  readonly limit?: Expression;
  readonly offset?: Expression;
}

export interface Cte {
  readonly at: number;
  readonly name: string;
  readonly columns: readonly string[];
  readonly query: Query;
  /** Whether its query may read the CTE itself. */
  readonly recursive?: true;
}

export type QueryBody = Select | SetOperation | Values | { readonly kind: "query"; readonly query: Query };

export interface Select {
  readonly kind: "select";
  readonly at: number;
  readonly distinct: boolean;
  readonly items: readonly SelectItem[];
  readonly from?: FromItem;
  readonly where?: Expression;
  readonly groupBy: readonly (Expression | GroupingSets)[] | "all";
  readonly having?: Expression;
  readonly qualify?: Expression;
  /** The WINDOW clause, by name. */
  readonly windows: ReadonlyMap<string, Window>;
}

/** ROLLUP, CUBE and GROUPING SETS, as the sets that they stand for. */
export interface GroupingSets {
  readonly kind: "grouping-sets";
  readonly at: number;
  readonly sets: readonly (readonly Expression[])[];
  /** The expressions of all sets, in the order of `grouping_id`. */
  readonly all: readonly Expression[];
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
  /** `generator AS (a, b)`. */
  | {
      readonly kind: "generator";
      readonly at: number;
      readonly expression: Expression;
      readonly aliases: readonly string[];
    }
  | Star;

/** A column or field name with its place. */
export interface Name {
  readonly at: number;
  readonly name: string;
}

export type FromItem = RelationRef | CteRef | DerivedTable | TableFunction | Join | LateralView | Pivot | Unpivot;

/** A part of the query's text, as `slice` takes it. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

interface Aliased {
  readonly at: number;
  readonly watermark?: Watermark;
  readonly alias?: string;
  readonly columns: readonly string[];
}
/** `WATERMARK time DELAY OF INTERVAL …`; its delay says nothing where no rows are kept from batch to batch. */
export interface Watermark {
  readonly at: number;
  readonly text: Span;
  readonly time: ColumnRef;
}
export interface RelationRef extends Aliased {
  readonly kind: "relation";
  readonly relation: Relation;
  /** With STREAM, moment and options. */
  readonly text: Span;
  /** Offset of its alias, or where one would stand. */
  readonly behind: number;
}
export interface CteRef extends Aliased {
  readonly kind: "cte";
  readonly cte: Cte;
}
export interface DerivedTable extends Aliased {
  readonly kind: "derived";
  readonly query: Query;
  /** Whether it sees the relations before it. */
  readonly lateral?: true;
}
/** A function that gives rows: `range(3)`, `LATERAL explode(t.items)`. */
export interface TableFunction extends Aliased {
  readonly kind: "function";
  readonly call: Call;
  readonly lateral?: true;
}
/** `input LATERAL VIEW [OUTER] generator alias AS columns`: rows of the input beside what the generator makes of each. */
export interface LateralView extends Aliased {
  readonly kind: "lateral-view";
  readonly input: FromItem;
  readonly call: Call;
  readonly outer: boolean;
}
/** `input PIVOT (aggregates FOR columns IN (values))`; each value has an expression for each column. */
export interface Pivot extends Aliased {
  readonly kind: "pivot";
  readonly input: FromItem;
  readonly aggregates: readonly Argument[];
  readonly by: readonly Expression[];
  readonly values: readonly PivotValue[];
}
export interface PivotValue extends Node {
  readonly values: readonly Expression[];
  readonly alias?: string;
}
/** `input UNPIVOT (values FOR name IN (groups))`; each group has a column for each value. */
export interface Unpivot extends Aliased {
  readonly kind: "unpivot";
  readonly input: FromItem;
  readonly includeNulls: boolean;
  readonly values: readonly Name[];
  readonly name: Name;
  readonly groups: readonly UnpivotGroup[];
}
export interface UnpivotGroup extends Node {
  readonly columns: readonly ColumnRef[];
  readonly alias?: string;
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

export interface SortKey extends SortDirection {
  readonly expression: Expression;
}
export interface SortDirection {
  readonly descending: boolean;
  /** Where NULL stands; absent: first when ascending, last when descending. */
  readonly nullsFirst?: boolean;
}

export type Expression =
  | ColumnRef
  | Literal
  | Interval
  | Call
  | Binary
  | Unary
  | IsNull
  | InList
  | InQuery
  | Exists
  | ScalarQuery
  | Like
  | LikeList
  | Case
  | Cast
  | FieldAccess
  | Subscript
  | Row
  | Lambda
  | Star;

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
/** `INTERVAL '1-2' YEAR TO MONTH`, `INTERVAL 3 DAYS 4 HOURS`: months, or microseconds. */
export interface Interval extends Node {
  readonly kind: "interval";
  readonly type: IntervalType;
  readonly value: bigint;
}
export interface Call extends Node {
  readonly kind: "call";
  readonly name: string;
  readonly args: readonly Argument[];
  /** `count(*)`. */
  readonly star: boolean;
  readonly distinct: boolean;
  readonly filter?: Expression;
  /** `WITHIN GROUP (ORDER BY …)`. */
  readonly within?: readonly SortKey[];
  readonly ignoreNulls?: true;
  readonly over?: Window | WindowName;
}
/** The name is that of `struct(x AS name)`; with `keyword`, that of a parameter: `name => x`. */
export interface Argument {
  readonly expression: Expression;
  readonly name?: string;
  readonly keyword?: true;
}
/** `(a, b AS c)`: a struct. */
export interface Row extends Node {
  readonly kind: "row";
  readonly args: readonly Argument[];
}
/** `x -> …`, `(x, y) -> …`: stands as an argument only. */
export interface Lambda extends Node {
  readonly kind: "lambda";
  readonly parameters: readonly Name[];
  readonly body: Expression;
}
/** `*`, `t.* EXCEPT (a)` as arguments: all these columns. */
export interface Star extends Node {
  readonly kind: "star";
  readonly qualifier: readonly string[];
  readonly except: readonly Name[];
  /** A column that is another expression, in its place. */
  readonly replace?: { readonly name: Name; readonly expression: Expression };
}
/** `OVER w`, a window that the WINDOW clause defines. */
export interface WindowName extends Node {
  readonly name: string;
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
  | { readonly kind: "preceding" | "following"; readonly distance: Expression };

export type BinaryOperator = ArithmeticOperator | BitOperator | ComparisonOperator | "||" | "AND" | "OR";
export type BitOperator = "&" | "|" | "^" | "<<" | ">>" | ">>>";
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
  readonly op: "-" | "+" | "~" | "NOT";
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
  /** ILIKE. */
  readonly anyCase?: true;
}
/** `x LIKE ANY ('a%', 'b%')`. */
export interface LikeList extends Node {
  readonly kind: "like-list";
  readonly operand: Expression;
  readonly patterns: readonly Expression[];
  readonly all: boolean;
  readonly negated: boolean;
  readonly anyCase: boolean;
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
