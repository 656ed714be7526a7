import type { SapData, SapDataOptions } from "../sap/generate/in-memory.js";
import type { ColumnsIn, Dataset, Flow, Relation } from "./types.js";

/** What a helper or a project declares. */
export interface Definitions {
  readonly datasets: readonly Dataset[];
  readonly flows: readonly Flow[];
  /** The plain SQL that all of it stands for, one order, same text every time. */
  statements(): string;
}
export interface LoadProjectOptions {
  /** Definitions files to load, relative to the spec's folder; default: all of `libraries`. */
  readonly only?: readonly string[];
  /** Wins over the spec's `configuration`, key by key. */
  readonly configuration?: Readonly<Record<string, string>>;
  /**
   * Files by path, relative to the spec's folder; an object is written as JSON. Where given, `readJson`, `fileExists`
   * and `listFiles` see these files and no others.
   */
  readonly files?: Readonly<Record<string, string | object>>;
}

type Value<T> = T extends "BIGINT"
  ? bigint
  : T extends "INT" | "SMALLINT" | "TINYINT" | "DOUBLE" | "FLOAT"
    ? number
    : T extends "BOOLEAN"
      ? boolean
      : string;
/** A row as tests write it; decimals, dates and times are text. Columns left out are NULL. */
export type Row<R> =
  ColumnsIn<R> extends infer C
    ? string extends keyof C
      ? Readonly<Record<string, unknown>>
      : { readonly [K in keyof C]?: Value<C[K]> | null }
    : never;
export interface Given {
  readonly name: string;
  readonly rows: readonly object[];
}

/** The functions of module `ingot/testing`; each is described where it is exported, in `public/testing.ts`. */
export interface TestingApi {
  collect(declare: () => void): Definitions;
  loadProject(dir: string, options?: LoadProjectOptions): Promise<Definitions>;
  given<R extends Relation<unknown> | string>(table: R, rows: readonly Row<R>[]): Given;
  evaluate<D extends Dataset<string, unknown>>(dataset: D, given: readonly Given[]): Promise<Row<D>[]>;
  generateSap(options?: SapDataOptions): Promise<SapData>;
}
