import { createReadStream } from "node:fs";
import { CHANGE_FORMATS, type Operation } from "../../sap/changes/formats.js";
import { TextLines } from "../../sources/files/text-lines.js";
import type { Row } from "../../sources/odata/values.js";
import { type KeyColumns, KeySet, keyText } from "./row-key.js";

/**
 * The keys that are there after all rows of some files, one row a line, in their order. Only keys are in memory.
 *
 * @throws IngotError EXTRACT_KEY_MISSING where the key is another than before
 */
export async function aliveKeys(paths: readonly string[], key: KeyColumns): Promise<KeySet> {
  const alive = new KeySet();
  const take = (line: string): void => {
    const row = JSON.parse(line) as Row;
    const operation = operationOf(row);
    if (operation === "delete") alive.delete(keyText(key, row));
    else if (operation === "upsert") alive.add(keyText(key, row));
  };
  for (const path of paths) {
    const lines = new TextLines();
    for await (const chunk of createReadStream(path)) for (const { text } of lines.add(chunk)) take(text);
    for (const { text } of lines.finish()) take(text);
  }
  return alive;
}

/** What a row does to its key; undefined where nobody knows, and no table takes it. */
function operationOf(row: Row): Operation | undefined {
  const sign = /^\s*-|-\s*$/.test(row["ODQ_ENTITYCNTR"] ?? "") ? "-" : "";
  const values = [(row["ODQ_CHANGEMODE"] ?? "").trim(), sign];
  const rule = CHANGE_FORMATS.odq.rules.find(({ when }) =>
    when.every((allowed, i) => (allowed as readonly string[]).includes(values[i] ?? "")),
  );
  return typeof rule?.is === "string" ? rule.is : undefined;
}
