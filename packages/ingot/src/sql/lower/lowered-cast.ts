import type { DataType } from "../../model/data-type.js";

export interface LoweredCast {
  readonly sql: string;
  /** Whether a value can make it fail: a TRY_CAST only where it meets a text that Spark reads and Ingot does not. */
  readonly throws: boolean;
}

/** A cast from one type to another; undefined where no exact one is known. */
export type LowerCast = (sql: string, from: DataType, to: DataType, lenient: boolean) => LoweredCast | undefined;
