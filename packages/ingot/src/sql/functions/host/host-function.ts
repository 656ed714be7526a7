/**
 * Functions that a lowered query calls and that run in JavaScript, where DuckDB has none with Spark's result. A text
 * comes and goes as UTF-8 without loss; NULL arguments give NULL before the function is asked.
 */
export type HostType = "string" | "binary" | "boolean" | "int" | "bigint" | "double" | "strings";

/** The JavaScript value of a {@link HostType}. */
export type HostValue = string | Uint8Array | boolean | number | bigint | readonly string[];

export interface HostFunction {
  /** Its name in DuckDB. */
  readonly name: string;
  readonly takes: readonly HostType[];
  readonly gives: HostType;
  /** NULL for undefined. @throws SparkCondition what Spark raises for these values */
  readonly run: (...values: never[]) => HostValue | undefined;
}

/** A condition of Spark that a value raises while a query runs. */
export class SparkCondition extends Error {
  constructor(condition: string, message: string) {
    super(`[${condition}] ${message}`);
  }
}

interface Values {
  readonly string: string;
  readonly binary: Uint8Array;
  readonly boolean: boolean;
  readonly int: number;
  readonly bigint: bigint;
  readonly double: number;
  readonly strings: readonly string[];
}

export function hostFunction<const T extends readonly HostType[], G extends HostType>(
  name: string,
  takes: T,
  gives: G,
  run: (...values: { readonly [I in keyof T]: Values[T[I]] }) => Values[G] | undefined,
): HostFunction {
  return { name: `spark_host_${name}`, takes, gives, run: run as unknown as HostFunction["run"] };
}

/** DuckDB's text of a call. A string is sent as its bytes: the client would drop a byte order mark. */
export function callHost({ name, takes }: HostFunction, ...args: readonly string[]): string {
  return `${name}(${args.map((sql, i) => (takes[i] === "string" ? `encode(${sql})` : sql)).join(", ")})`;
}
