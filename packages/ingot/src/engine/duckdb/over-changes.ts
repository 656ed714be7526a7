import { CHANGE_COLUMNS } from "../../model/change-feed.js";
import { quoteName } from "../../sql/lower/lower-text.js";
import type { BoundInput, BoundQuery } from "../engine.js";
import { queryText, type RowSources, relationText } from "./relations.js";
import type { ToldInput } from "./tell-changes.js";

/** Rows that came to an input, that went from it, or either. */
export type Side = "came" | "went" | "both";

const CHANGES: Readonly<Record<Side, string>> = {
  came: " WHERE _change_type IN ('insert', 'update_postimage')",
  went: " WHERE _change_type IN ('delete', 'update_preimage')",
  both: "",
};

/**
 * The query's texts over the changes of one input each: the inputs before it are as they are now, those behind it as they
 * were, and those apart from it have no rows.
 */
export async function overChanges(
  bound: BoundQuery,
  changed: readonly ToldInput[],
  sources: RowSources,
  side: Side,
): Promise<string[]> {
  const texts: string[] = [];
  for (const [i, input] of changed.entries()) {
    const instead = new Map<BoundInput, string>([[input.now, await changedRows(input, sources, side)]]);
    for (const later of changed.slice(i + 1)) instead.set(later.now, await relationText(later.before, "", sources));
    for (const other of input.apart) instead.set(other, `FROM (${await relationText(other, "", sources)}) WHERE false`);
    texts.push(await queryText(bound, { ...sources, instead }));
  }
  return texts;
}

const BESIDE = CHANGE_COLUMNS.map(({ name }) => quoteName(name)).join(", ");

async function changedRows({ now, before, by }: ToldInput, sources: RowSources, side: Side): Promise<string> {
  const { location, schema, version } = now;
  const range = { location, after: before.version, to: version, ...(schema === undefined ? {} : { schema }) };
  const rows = await relationText({ kind: by, ...range }, "", sources);
  if (by === "changes") return `SELECT * EXCLUDE (${BESIDE}) FROM (${rows})${CHANGES[side]}`;
  return side === "went" ? `FROM (${rows}) WHERE false` : rows;
}
