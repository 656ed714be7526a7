import type { Gap, WriteFeature } from "./features/feature.js";
import { WRITE_FEATURES } from "./features.js";
import type { PeerTable } from "./theirs/peer-table.js";
import { PEER_TABLES } from "./theirs.js";

/** The matrix as a page: who reads what we write, and what we read and write of what others made. */
export function interopPage(): string {
  const notes = new Notes();
  const ours = WRITE_FEATURES.map((feature) => oursRow(feature, notes));
  const theirs = PEER_TABLES.map((table) => theirsRow(table, notes));
  return `# Delta tables and their readers

Generated from the lists of \`test/interop/matrix\`, which its test carries out: each table of the first list is written by
both engines, in JavaScript and on DuckDB, and must hold the rows of a plain model, columns and values exact, for our own
readers and for Spark 4.2 with Delta 4.4.0, \`deltalake\` 1.6.6 and DuckDB's delta extension 1.5.5. What a reader cannot do is
tested, too: when it can one day, the test fails and the note goes.

## What we write

| written | Spark | deltalake | DuckDB's extension | change feed: Spark | change feed: deltalake |
|---|---|---|---|---|---|
${ours.join("\n")}

## What they write

Each table is read by both of our engines, as its maker reads it; a copy is written again by each of them (append, delete,
update, merge), and then read by all. "refused" says what we do not write, by name and before anything is written.

| made by | table | we read | we write | then Spark | then deltalake | then DuckDB's extension |
|---|---|---|---|---|---|---|
${theirs.join("\n")}

${notes.text()}
`;
}

function oursRow({ name, unread = {}, changeFeed }: WriteFeature, notes: Notes): string {
  const cell = (gap: Gap | undefined) => (gap === undefined ? "equal" : notes.cell(gap));
  const feed =
    changeFeed === undefined ? ["", ""] : ["equal", cell(changeFeed === true ? undefined : changeFeed.deltalake)];
  return row([name, "equal", cell(unread.deltalake), cell(unread.duckdb), ...feed]);
}

function theirsRow({ name, made, refused = [], unread, unreadByPeers = {} }: PeerTable, notes: Notes): string {
  const cell = (gap: Gap | undefined) => (gap === undefined ? "equal" : notes.cell(gap));
  const codes = [...new Set(refused.map(({ code }) => `refused: \`${code}\``))];
  if (unread !== undefined) return row([made.by, name, `refused: \`${unread.code}\``, codes.join(", "), "", "", ""]);
  const write = ["yes", ...codes].join(", ");
  return row([made.by, name, "equal", write, "equal", cell(unreadByPeers.deltalake), cell(unreadByPeers.duckdb)]);
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

/** Reasons, each with one number. */
class Notes {
  readonly #reasons: string[] = [];

  cell({ why, error }: Gap): string {
    if (!this.#reasons.includes(why)) this.#reasons.push(why);
    const note = `[${this.#reasons.indexOf(why) + 1}]`;
    return error === undefined ? `other rows ${note}` : `not read ${note}`;
  }

  text(): string {
    return this.#reasons.map((why, i) => `${i + 1}. ${why}`).join("\n");
  }
}
