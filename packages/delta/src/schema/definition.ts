import { type At, DeltaError, type DeltaErrorCode } from "../error.js";
import type { Metadata, Protocol } from "../log/actions.js";
import type { StructType } from "./schema.js";

/** What a table promises about its rows; a snapshot is one. */
export interface Definition extends At {
  readonly schema: StructType;
  readonly metadata: Pick<Metadata, "partitionColumns" | "configuration">;
  readonly protocol?: Protocol | undefined;
}

/** What an alteration puts in place of the definition's parts. */
export interface Altered {
  readonly schema?: StructType;
  readonly partitionColumns?: readonly string[];
  readonly configuration?: Metadata["configuration"];
}

/** An alteration or write that the definition does not allow. */
export function refusal({ table, version }: At, code: DeltaErrorCode, message: string, hint: string): DeltaError {
  return new DeltaError(code, message, { table, version, hint });
}
