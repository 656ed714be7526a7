import fc from "fast-check";
import { expect, it } from "vitest";
import { writeProject } from "../../define/project-fixture.js";
import { quoteName, quoteText } from "../../sql/lower/lower-text.js";
import { quotePath } from "./quote-path.js";
import { runSql } from "./test-session.js";

// What DuckDB cannot hold at all: NUL in a statement.
const text = fc.string({ unit: "binary", maxLength: 8 }).filter((t) => !t.includes("\0"));
const ODD = ["", "'", "''", '"', "a'b\"c", "\\", "--", "/*", "\n", "ü名", "$1", ";"];

it("quoteName and quoteText give DuckDB back what they were given", async () => {
  const texts = [...ODD, ...fc.sample(text, 50)];
  // With a number before it each name is another one, whatever its case.
  const names = texts.map((t, i) => quoteName(`${i}${t}`));
  const columns = texts.map((t, i) => `${quoteText(t)} AS ${names[i]}`);
  const sql = `SELECT ${names.join(", ")} FROM (SELECT ${columns.join(", ")})`;
  expect(await runSql(writeProject({}), sql)).toEqual([texts]);
});

it("quotePath lets every character of a path stand for itself", async () => {
  const folder = writeProject({});
  const names = ["a[1]", "b*", "c?d", "e{x,y}", "f'g", "h!i", "j]k", "l\\m", "n%20o", "p**q", "r[^a]", "s[!b]", "ü"];
  for (const name of names) {
    const path = `${folder}/${name}.parquet`;
    await runSql(folder, `COPY (SELECT ${quoteText(name)} AS v) TO ${quoteText(path)} (FORMAT parquet)`);
  }
  const paths = names.map((name) => quotePath(`${folder}/${name}.parquet`));
  const rows = await runSql(folder, `SELECT v FROM read_parquet([${paths.join(", ")}])`);
  expect(rows.flat().sort()).toEqual([...names].sort());
});
