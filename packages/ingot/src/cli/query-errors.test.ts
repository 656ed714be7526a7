import { describe, expect, it } from "vitest";
import { main } from "./main.js";
import { testIo } from "./test-io.js";

const TABLE = "(VALUES (1, 'a')) AS t(customer_id, name)";

/** What `ingot query` says to a text, without a project. */
async function errorOf(text: string): Promise<string> {
  const io = testIo({});
  await main(["query", text, "--no-color"], io, "1.2.3");
  return io.err();
}

describe("an error of a query shows its code, place, line and next step", () => {
  it("that does not follow the grammar", async () => {
    expect(await errorOf(`SELECT name\nFROM ${TABLE}\nWEHRE customer_id = 1`)).toBe(`\
error[PARSE_SYNTAX_ERROR]: Syntax error at or near 'WEHRE': expected FROM, WHERE, GROUP BY, HAVING, ORDER BY, LIMIT, UNION or the end of the query
  at <query>:3:1
  3 | WEHRE customer_id = 1
    | ^
  next: Did you mean WHERE?
`);
  });
  it("that ends too early", async () => {
    expect(await errorOf("SELECT upper('a'")).toBe(`\
error[PARSE_SYNTAX_ERROR]: Syntax error at or near the end of the statement: expected , or )
  at <query>:1:17
  1 | SELECT upper('a'
    |                 ^
`);
  });
  it("with a column that is not there", async () => {
    expect(await errorOf(`SELECT name,\n  custmer_id\nFROM ${TABLE}`)).toBe(`\
error[UNRESOLVED_COLUMN.WITH_SUGGESTION]: There is no column custmer_id here
  at <query>:2:3
  2 |   custmer_id
    |   ^
  next: Did you mean customer_id?
`);
  });
  it("with a name of two columns", async () => {
    expect(await errorOf(`SELECT name FROM ${TABLE}, (VALUES ('b')) AS u(name)`)).toBe(`\
error[AMBIGUOUS_REFERENCE]: 2 columns are called name
  at <query>:1:8
  1 | SELECT name FROM (VALUES (1, 'a')) AS t(customer_id, name), (VALUES ('b')) AS u(name)
    |        ^
  next: Put the table's name or alias before it.
`);
  });
  it("with values of the wrong type", async () => {
    expect(await errorOf(`SELECT size(name) FROM ${TABLE}`)).toBe(`\
error[DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE]: size takes an ARRAY or MAP here, this is STRING
  at <query>:1:13
  1 | SELECT size(name) FROM (VALUES (1, 'a')) AS t(customer_id, name)
    |             ^
  next: Cast the argument.
`);
  });
  it("with a function that Spark lacks", async () => {
    expect(await errorOf("SELECT 1,\n\tuper('a')")).toBe(`\
error[UNRESOLVED_ROUTINE]: There is no function uper
  at <query>:2:2
  2 | \tuper('a')
    | \t^
  next: Did you mean upper?
`);
  });
  it("with a function that has no exact translation", async () => {
    expect(await errorOf("SELECT sin(1)")).toBe(`\
error[UNSUPPORTED_FUNCTION]: The function sin is not supported yet
  at <query>:1:8
  1 | SELECT sin(1)
    |        ^
  next: The processor decides the last digit of Spark's result: compute it outside of the pipeline.
`);
  });
});
