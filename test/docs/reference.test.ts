import { expect, it } from "vitest";
import { CATALOGUE, EXIT } from "../../packages/ingot/src/model/error-catalogue.js";
import { REGISTRY } from "../../packages/ingot/src/sql/functions/registry.js";

// Reference pages are generated from the code: `npx vitest run test/docs -u` writes them again.

it("docs/errors.md lists every error code", async () => {
  const exits = Object.entries(EXIT).map(([name, code]) => `${code} ${name}`);
  const rows = Object.entries(CATALOGUE)
    .map(
      ([code, entry]) =>
        `| \`${code}\` | ${"sqlState" in entry ? entry.sqlState : ""} | ${EXIT[entry.exit]} | ${entry.when} |`,
    )
    .sort();
  const text = `# Error codes

Generated from \`packages/ingot/src/model/error-catalogue.ts\`. Names that Spark has are Spark's, with its SQLSTATE; a
code never changes its meaning. Exit codes: ${exits.join(", ")}.

| code | SQLSTATE | exit | when |
|---|---|---|---|
${rows.join("\n")}
`;
  await expect(text).toMatchFileSnapshot("../../docs/errors.md");
});

it("docs/functions.md lists every function that is translated", async () => {
  const rows = [...REGISTRY]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { kind, arity, distinct }]) => {
      const [least, most] = arity;
      return `| \`${name}\` | ${kind} | ${least === most ? least : `${least} to ${most}`} | ${distinct === true ? "yes" : ""} |`;
    });
  const text = `# Functions of Spark SQL

Generated from \`packages/ingot/src/sql/functions\`. A function that is not here is refused before a query runs:
\`UNSUPPORTED_FUNCTION\` where Spark has it, \`UNRESOLVED_ROUTINE\` where nobody does. Aggregates take \`OVER\` and \`FILTER\`.
Where \`max_by\` (\`min_by\`) meets a tie, the greatest (least) value wins, NULL being the least, so that the result never depends on the order of rows
(Spark leaves it open).

| function | kind | arguments | DISTINCT |
|---|---|---|---|
${rows.join("\n")}
`;
  await expect(text).toMatchFileSnapshot("../../docs/functions.md");
});
