import type { DuckDBConnection } from "@duckdb/node-api";
import type { BatchFile } from "../../model/batch.js";
import { verifyReadFile } from "../../sources/files/verify-read-file.js";
import type { BoundQuery } from "../engine.js";
import type { TextCopies } from "./files/text-copies.js";
import { dropCounts } from "./relations.js";

/**
 * What is to be known of a query's files when its rows are there: that each is still what the batch recorded, and how many
 * records its reads left out, as they were told to.
 *
 * @throws IngotError FILE_CHANGED
 */
export async function settleReads(
  connection: DuckDBConnection,
  bound: BoundQuery,
  copies: TextCopies,
): Promise<number> {
  let dropped = 0;
  for (const query of await dropCounts(bound, copies))
    dropped += Number((await connection.runAndReadAll(query)).getRows()[0]?.[0] ?? 0);
  for (const file of filesOf(bound)) await verifyReadFile(file);
  return dropped;
}

/** The files that a query reads, through its views. */
function filesOf({ inputs }: BoundQuery): BatchFile[] {
  return [...inputs.values()].flatMap((input) =>
    input.kind === "view" ? filesOf(input.view) : input.kind === "files" ? input.files : [],
  );
}
