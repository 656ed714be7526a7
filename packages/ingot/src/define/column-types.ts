/** Column name → Spark type name, in order. */
export type Columns = Readonly<Record<string, string>>;
/** Columns that are not known to the compiler: any name is accepted, dry-run checks it. */
export type AnyColumns = Record<string, string>;
/** Filled by `ingot types` (declaration merging): table name → columns. */
// biome-ignore lint/suspicious/noEmptyInterface: generated declarations merge into it
export interface Tables {}
/** Filled by `ingot types`: keys of `configuration` in the spec. */
// biome-ignore lint/suspicious/noEmptyInterface: generated declarations merge into it
export interface Configuration {}

export type ColumnName<C> = string extends keyof C ? string : keyof C & string;

/** A column with more than a type. */
export interface ColumnDef {
  /** Spark type as DDL text, e.g. `DECIMAL(10,2)`; of a dataset's column the query's, where none is given. */
  readonly type?: string;
  readonly notNull?: boolean;
  readonly comment?: string;
  /** Values are masked in messages and examples. */
  readonly sensitive?: boolean;
}
/** DDL text (`"order_id BIGINT, amount DECIMAL(10,2)"`) or an object (`{ order_id: "BIGINT" }`). */
export type SchemaInput = string | Readonly<Record<string, string | ColumnDef>>;

// DDL text is read by the type system: split at the commas outside brackets, then name and type of each column.
type WS = " " | "\n" | "\t" | "\r";
type Trim<S extends string> = S extends `${WS}${infer R}` ? Trim<R> : S extends `${infer R}${WS}` ? Trim<R> : S;
type Open<S extends string> = S extends `${infer A}(${infer B}`
  ? B extends `${infer X})${infer Y}`
    ? Open<`${A}${X}${Y}`>
    : true
  : S extends `${infer A}<${infer B}`
    ? B extends `${infer X}>${infer Y}`
      ? Open<`${A}${X}${Y}`>
      : true
    : false;
type Unquote<S extends string> = S extends `\`${infer N}\`` ? N : S;
type Col<S extends string> =
  Trim<S> extends `${infer N} ${infer T}` ? { readonly [K in Unquote<N>]: Trim<T> } : NoColumns;
// biome-ignore lint/complexity/noBannedTypes: the empty object type adds nothing to an intersection
type NoColumns = {};
type Split<S extends string, Acc extends string = "", Out = NoColumns> = S extends `${infer H},${infer T}`
  ? Open<`${Acc}${H}`> extends true
    ? Split<T, `${Acc}${H},`, Out>
    : Split<T, "", Out & Col<`${Acc}${H}`>>
  : Out & Col<`${Acc}${S}`>;
type Show<T> = { readonly [K in keyof T]: T[K] };

/** Columns of a schema; DDL that holds quoted text (`COMMENT '…'`) or is no literal stays unknown. */
export type SchemaColumns<S> = S extends string
  ? string extends S
    ? AnyColumns
    : S extends `${string}'${string}`
      ? AnyColumns
      : Show<Split<S>>
  : {
      readonly [K in keyof S & string]: S[K] extends { readonly type: infer T extends string }
        ? T
        : S[K] extends string
          ? S[K]
          : string;
    };

/** A declared schema wins, then what `ingot types` wrote, else unknown. */
export type ColumnsOf<N extends string, S> = [S] extends [never]
  ? N extends keyof Tables
    ? Tables[N]
    : AnyColumns
  : SchemaColumns<S>;

export type WithColumns<C, X> = string extends keyof C ? AnyColumns : Show<C & X>;
export type WithoutColumns<C, X extends string> = string extends keyof C ? AnyColumns : Omit<C, X>;
