import { describe, expect, it } from "vitest";
import type { ResultSet, Value } from "../engine/engine.js";
import { columns } from "../graph/test-builders.js";
import { showTable } from "./show-table.js";

const result = (header: string, rows: readonly (readonly Value[])[], truncated = false): ResultSet => {
  return { columns: columns(header), rows, truncated };
};

const show = (of: ResultSet, truncate?: number) => `\n${showTable(of, truncate)}\n`;

// The boxes are those of Spark's `Dataset.showString`.
describe("showTable", () => {
  it("aligns values to the right, at least three wide, with NULL as a word", () => {
    const rows = [
      [1, "a"],
      [null, "long name"],
      ["10", null],
    ];
    expect(show(result("id bigint, name string", rows))).toBe(`
+----+---------+
|  id|     name|
+----+---------+
|   1|        a|
|NULL|long name|
|  10|     NULL|
+----+---------+
`);
    expect(show(result("a int", [[1]]))).toBe("\n+---+\n|  a|\n+---+\n|  1|\n+---+\n");
  });

  it("shows an empty table", () => {
    expect(show(result("id int, name string", []))).toBe(`
+---+----+
| id|name|
+---+----+
+---+----+
`);
  });

  it("cuts cells to 20 characters, and never the names of columns", () => {
    const rows = [["12345678901234567890"], ["123456789012345678901"]];
    expect(show(result("a_name_of_more_than_twenty string", rows))).toBe(`
+--------------------------+
|a_name_of_more_than_twenty|
+--------------------------+
|      12345678901234567890|
|      12345678901234567...|
+--------------------------+
`);
  });

  it("shows whole cells to the left where nothing is cut", () => {
    expect(show(result("id int, text string", [[1, "123456789012345678901"]]), 0)).toBe(`
+---+---------------------+
|id |text                 |
+---+---------------------+
|1  |123456789012345678901|
+---+---------------------+
`);
  });

  it("counts East Asian characters twice", () => {
    expect(
      show(
        result("名前 string, n int", [
          ["山田", 1],
          ["abc", 22],
        ]),
      ),
    ).toBe(`
+----+---+
|名前|  n|
+----+---+
|山田|  1|
| abc| 22|
+----+---+
`);
  });

  it("keeps the box whole around line ends and tabs", () => {
    expect(show(result("t string", [["a\nb\tc"]]))).toBe("\n+-------+\n|      t|\n+-------+\n|a\\nb\\tc|\n+-------+\n");
  });

  it.each([
    [[[1]], "only showing top 1 row"],
    [[[1], [2]], "only showing top 2 rows"],
  ])("says below %j that there is more", (rows, footer) => {
    expect(
      showTable(result("a int", rows, true))
        .split("\n")
        .at(-1),
    ).toBe(footer);
  });
});
