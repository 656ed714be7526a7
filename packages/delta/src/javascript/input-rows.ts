import type { InputRow } from "./value.js";

/** Rows at once, or as they come; they are gathered in memory, since an attempt may have to be repeated. */
export type InputRows = Iterable<InputRow> | AsyncIterable<InputRow>;

export async function gather(rows: InputRows): Promise<readonly InputRow[]> {
  const gathered: InputRow[] = [];
  for await (const row of rows) gathered.push(row);
  return gathered;
}
