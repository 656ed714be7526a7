import type { AnyColumns, ColumnName, ColumnsOf, Configuration, SchemaColumns, SchemaInput } from "./column-types.js";
import type {
  AppendFlowOptions,
  AutoCdcColumns,
  AutoCdcOptions,
  ChangeFeedOf,
  ChangeFeedOptions,
  ColumnsIn,
  Dataset,
  DatasetOptions,
  Expectation,
  ExpectOptions,
  Expr,
  FileSource,
  Flow,
  KnownName,
  MaterializedViewOptions,
  ReadFilesOptions,
  Relation,
  ReplaceFlowOptions,
  RowCountOptions,
  Rules,
  ScdType,
  SingleValueOptions,
  SnapshotCdcOptions,
  Source,
  Sql,
  SqlTag,
  StreamingTableOptions,
  TableColumns,
  TableExpectOptions,
  TableFactOptions,
  TableRef,
  Target,
  TargetOf,
  ViewOptions,
  WithQuery,
} from "./types.js";

/** The functions of module `ingot`; each is described where it is exported, in `public/index.ts`. */
export interface Api {
  readonly sql: SqlTag;

  ref<const N extends KnownName>(name: N): TableRef<N, ColumnsOf<N, never>>;
  externalTable<const N extends KnownName, const S extends SchemaInput = never>(
    name: N,
    options?: { readonly schema?: S; readonly path?: string },
  ): TableRef<N, ColumnsOf<N, S>>;
  changeFeed<R extends Dataset<string, unknown> | TableRef<string, unknown>>(
    of: R,
    options?: ChangeFeedOptions,
  ): ChangeFeedOf<R>;
  readFiles<const S extends SchemaInput = never>(
    path: string,
    options?: ReadFilesOptions<S>,
  ): FileSource<[S] extends [never] ? AnyColumns : SchemaColumns<S>>;

  table<const N extends string, const S extends SchemaInput = never>(
    name: N,
    definition: Sql | (StreamingTableOptions<S, TableColumns<N, S>> & WithQuery),
  ): Dataset<N, ColumnsOf<N, S>>;
  materializedView<const N extends string, const S extends SchemaInput = never>(
    name: N,
    definition: Sql | (MaterializedViewOptions<S, TableColumns<N, S>> & WithQuery),
  ): Dataset<N, ColumnsOf<N, S>>;
  temporaryView<const N extends string, const S extends SchemaInput = never>(
    name: N,
    definition: Sql | (DatasetOptions<S> & WithQuery),
  ): Dataset<N, ColumnsOf<N, S>>;
  view<const N extends string, const S extends SchemaInput = never>(
    name: N,
    definition: Sql | (ViewOptions<S> & WithQuery),
  ): Dataset<N, ColumnsOf<N, S>>;
  createStreamingTable<const N extends string, const S extends SchemaInput = never>(
    name: N,
    options?: StreamingTableOptions<S, TableColumns<N, S>>,
  ): Dataset<N, ColumnsOf<N, S>>;

  appendFlow<T extends Target>(options: AppendFlowOptions<T>): Flow<TargetOf<T, AnyColumns>>;
  replaceFlow<T extends Target>(options: ReplaceFlowOptions<T>): Flow<TargetOf<T, AnyColumns>>;
  createAutoCdcFlow<
    S extends Source,
    T extends Target,
    L extends ColumnName<ColumnsIn<S>> = never,
    X extends ColumnName<ColumnsIn<S>> = never,
    const K extends ScdType = 1,
  >(options: AutoCdcOptions<S, T, L, X, K>): Flow<TargetOf<T, AutoCdcColumns<S, L, X, K>>>;
  createAutoCdcFromSnapshotFlow<S extends Source, T extends Target>(
    options: SnapshotCdcOptions<S, T>,
  ): Flow<TargetOf<T, ColumnsIn<S>>>;

  expect(name: string, condition: Expr, options?: ExpectOptions): Expectation;
  expectOrDrop(name: string, condition: Expr, options?: ExpectOptions): Expectation;
  expectOrFail(name: string, condition: Expr, options?: ExpectOptions): Expectation;
  expectOrQuarantine(name: string, condition: Expr, options?: ExpectOptions): Expectation;
  expectAll(rules: Rules): readonly Expectation[];
  expectAllOrDrop(rules: Rules): readonly Expectation[];
  expectAllOrFail(rules: Rules): readonly Expectation[];
  expectAllOrQuarantine(rules: Rules): readonly Expectation[];
  expectUnique(columns: readonly string[], options?: TableExpectOptions): Expectation;
  expectReferences<R extends Relation<unknown> | string>(
    columns: readonly string[],
    target: R,
    targetColumns?: readonly ColumnName<ColumnsIn<R>>[],
    options?: TableExpectOptions,
  ): Expectation;
  expectRowCount(options: RowCountOptions): Expectation;
  expectFreshness(column: string, within: string, options?: TableFactOptions): Expectation;
  expectSingleValue(column: string, options?: SingleValueOptions): Expectation;

  config(key: ConfigKey, fallback?: string): string;
  readJson<T = unknown>(path: string): Promise<T>;
  fileExists(path: string): Promise<boolean>;
  listFiles(glob: string): Promise<readonly string[]>;
  notice(message: string, level?: "INFO" | "WARN"): void;
}

type ConfigKey = (keyof Configuration & string) | (string & Record<never, never>);
