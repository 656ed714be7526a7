import type { Fault } from "../../packages/ingot/src/sap/generate/faults/fault.js";
import { generateInMemory, type SapDataOptions } from "../../packages/ingot/src/sap/generate/in-memory.js";

export type Row = Readonly<Record<string, string>>;

/** Rows of the final state, by table: values as SAP stores them. */
export type Truth = ReadonlyMap<string, readonly Row[]>;

/** Generated files by their paths; and as rows, the final state, the changes of each delivery, and the faults in them. */
export async function generateWithTruth(options: SapDataOptions): Promise<{
  readonly files: ReadonlyMap<string, string>;
  readonly truth: Truth;
  readonly changes: (table: string, batch: number) => readonly Row[];
  readonly faults: readonly Fault[];
}> {
  const { files } = await generateInMemory(options);
  // Once more in a format that needs no reader.
  const { files: asRows } = await generateInMemory({ ...options, format: "json" });
  const rowsOf = (path: string) => lines<Row>(asRows.get(path) ?? "");
  const truth = [...asRows.keys()].flatMap((path): [string, Row[]][] => {
    const table = /^truth\/(\w+)\.json$/.exec(path)?.[1];
    return table === undefined ? [] : [[table, rowsOf(path)]];
  });
  return {
    files,
    truth: new Map(truth),
    changes: (table, batch) => rowsOf(`cdc/${table}/${String(batch).padStart(5, "0")}.json`),
    faults: lines<Fault>(files.get("faults.jsonl") ?? ""),
  };
}

function lines<T>(text: string): T[] {
  return text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as T]));
}
