import { expect, it } from "vitest";
import { CATALOGUE, EXIT } from "../../packages/ingot/src/model/error-catalogue.js";

// Reference pages are generated from the code: `npx vitest run test/docs -u` writes them again.

it("docs/errors.md lists every error code", async () => {
  const exits = Object.entries(EXIT).map(([name, code]) => `${code} ${name}`);
  const rows = Object.entries(CATALOGUE)
    .map(([code, entry]) => `| \`${code}\` | ${"sqlState" in entry ? entry.sqlState : ""} | ${EXIT[entry.exit]} | ${entry.when} |`)
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
