import { RELEASED_COLUMN } from "../../model/quarantine.js";
import type { ApplyStep, WritePart, WriteStep } from "../engine.js";
import { notOnSpark } from "./not-supported.js";

/**
 * Refuses what only a batch tells that the engine cannot do, before anything of it is written. What a flow asks for is
 * refused before it runs: see `refuseNode`.
 *
 * @throws IngotError SPARK_NOT_SUPPORTED
 */
export function refuseStep({
  target: { name },
  parts,
  mode,
}: Pick<WriteStep | ApplyStep, "target" | "parts" | "mode">): void {
  if (mode === "reset" && parts.length > 1)
    throw notOnSpark("A full refresh of a table that several change flows fill", "Refresh it on DuckDB.", name);
  if (parts.some(isRelease))
    throw notOnSpark("A release of quarantined rows", "Run `ingot quarantine release` without --engine.", name);
}

function isRelease({ bound }: WritePart): boolean {
  return bound.query.schema.some((column) => column.name === RELEASED_COLUMN);
}
