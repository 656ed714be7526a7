import { join } from "node:path";
import type { RowSelection } from "@ingot/delta";
import { expect, it } from "vitest";
import { writeProject } from "../../define/project-fixture.js";
import { quoteText } from "../../sql/lower/lower-text.js";
import { joinedRowCondition, rowCondition } from "./row-filter.js";
import { runSql } from "./test-session.js";

const ALL = Array.from({ length: 10_000 }, (_, row) => row);

/** Rows 0 to 9999 of one file that each selection keeps: apart, and joined with the others. */
async function kept(...selections: RowSelection[]): Promise<{ apart: number[][]; joined: number[][] }> {
  const folder = writeProject({});
  const paths = selections.map((_, i) => join(folder, `f${i}.parquet`)).map(quoteText);
  for (const path of paths)
    await runSql(folder, `COPY (SELECT i FROM range(10000) t(i)) TO ${path} (FORMAT parquet, ROW_GROUP_SIZE 2048)`);
  const apart = selections.map(
    (selection, i) => `SELECT i FROM read_parquet(${paths[i]}) WHERE ${rowCondition(selection)}`,
  );
  const { join: relation, condition } = joinedRowCondition(selections);
  const together = `SELECT file_index AS f, i FROM read_parquet([${paths.join(", ")}])${relation} WHERE ${condition}`;
  const joined = selections.map((_, file) => `SELECT i FROM (${together}) WHERE f = ${file}`);
  const rowsOf = async (sql: string) => (await runSql(folder, `${sql} ORDER BY i`)).map(([row]) => Number(row));
  const all = (queries: string[]) => Promise.all(queries.map(rowsOf));
  return { apart: await all(apart), joined: await all(joined) };
}

it("selects rows and all others: none, a few, many that end before the file does", async () => {
  const sets = [[], [0, 7, 8, 4095, 9999], ALL.filter((row) => row % 3 === 1 && row < 9000)];
  const only = sets.map((rows) => ({ only: Float64Array.from(rows) }));
  const except = sets.map((rows) => ({ except: Float64Array.from(rows) }));
  const expected = [...sets, ...sets.map((rows) => ALL.filter((row) => !rows.includes(row)))];
  const { apart, joined } = await kept(...only, ...except);
  expect(apart).toEqual(expected);
  expect(joined).toEqual(expected);
});

it("selects rows that lie further apart than a row group, many and few", async () => {
  const folder = writeProject({});
  const path = quoteText(join(folder, "far.parquet"));
  await runSql(folder, `COPY (SELECT i FROM range(700000) t(i)) TO ${path} (FORMAT parquet, ROW_GROUP_SIZE 122880)`);
  for (const step of [3, 50]) {
    const rows = [1000, 400_000, 699_000].flatMap((first) =>
      Array.from({ length: Math.floor(1000 / step) }, (_, i) => first + i * step),
    );
    const read = (selection: RowSelection, more: string) =>
      runSql(folder, `SELECT i FROM read_parquet(${path}) WHERE ${rowCondition(selection)} ${more}`);
    const only = await read({ only: Float64Array.from(rows) }, "ORDER BY i");
    expect(only.map(([i]) => Number(i))).toEqual(rows);
    const except = await read(
      { except: Float64Array.from(rows) },
      `AND i IN (${rows.join()}, 999, 400001, 699999) ORDER BY i`,
    );
    expect(except.map(([i]) => Number(i))).toEqual([999, 400_001, 699_999]);
  }
});
