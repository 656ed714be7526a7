import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { DELTA_ERRORS, type DeltaErrorCode } from "../../packages/delta/src/index.js";
import { deltaFault } from "../../packages/ingot/src/engine/tables/delta-errors.js";
import { CATALOGUE, EXIT } from "../../packages/ingot/src/model/error-catalogue.js";
import { CHANGE_FORMATS, type ChangeFormat } from "../../packages/ingot/src/sap/changes/formats.js";
import { DECODERS } from "../../packages/ingot/src/sap/decoders/all.js";
import type { Decoder } from "../../packages/ingot/src/sap/decoders/decoder.js";
import { AFTERMATH } from "../../packages/ingot/src/sap/generate/faults/aftermath.js";
import { LOST_TOKEN, REDELIVERED } from "../../packages/ingot/src/sap/generate/faults/damage-files.js";
import { FILE_FAULTS } from "../../packages/ingot/src/sap/generate/faults/file-kinds.js";
import { FAULTS, type FaultKind } from "../../packages/ingot/src/sap/generate/faults/kinds.js";
import { STANDING } from "../../packages/ingot/src/sap/generate/faults/standing.js";
import { REGISTRY } from "../../packages/ingot/src/sql/functions/registry.js";
import { apiReference } from "./api-reference.js";

// Reference pages are generated from the code: `npx vitest run test/docs -u` writes them again.

it("docs/errors.md lists every error code", async () => {
  const exits = Object.entries(EXIT).map(([name, code]) => `${code} ${name}`);
  const ofLibrary = Object.entries(DELTA_ERRORS).map(
    ([code, { when }]) => [code, { ...deltaFault(code as DeltaErrorCode), when }] as const,
  );
  const rows = [...Object.entries(CATALOGUE), ...ofLibrary]
    .map(
      ([code, entry]) =>
        `| \`${code}\` | ${"sqlState" in entry ? (entry.sqlState ?? "") : ""} | ${EXIT[entry.exit]} | ${entry.when} |`,
    )
    .sort();
  const text = `# Error codes

Generated from \`packages/ingot/src/model/error-catalogue.ts\` and, for what the Delta library raises,
\`packages/delta/src/error-catalogue.ts\`. Names that Spark or Delta has are theirs, with their SQLSTATE; a code never
changes its meaning. Exit codes: ${exits.join(", ")}.

| code | SQLSTATE | exit | when |
|---|---|---|---|
${rows.join("\n")}
`;
  await expect(text).toMatchFileSnapshot("../../docs/errors.md");
});

it("docs/functions.md lists every function that is translated", async () => {
  const rows = [...REGISTRY]
    .filter(([name]) => !/^(try_)?sap_/.test(name))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { kind, arity, distinct }]) => {
      const [least, most] = arity;
      return `| \`${name}\` | ${kind} | ${least === most ? least : `${least} to ${most}`} | ${distinct === true ? "yes" : ""} |`;
    });
  const text = `# Functions of Spark SQL

Generated from \`packages/ingot/src/sql/functions\`. A function that is not here is refused before a query runs:
\`UNSUPPORTED_FUNCTION\` where Spark has it, \`UNRESOLVED_ROUTINE\` where nobody does. Aggregates take \`OVER\` and \`FILTER\`.
Where \`max_by\` (\`min_by\`) meets a tie, the greatest (least) value wins, NULL being the least, so that the result never depends on the order of rows
(Spark leaves it open). \`percentile_approx\` is exact, and \`listagg(DISTINCT x)\` without an order goes by the texts.
Functions for SAP's values stand in [sap-functions.md](sap-functions.md).

| function | kind | arguments | DISTINCT |
|---|---|---|---|
${rows.join("\n")}
`;
  await expect(text).toMatchFileSnapshot("../../docs/functions.md");
});

it("docs/sap-functions.md lists every decoder and change format", async () => {
  const constants = ({ constants, bySource }: Decoder) => [
    ...constants.map((c) => (c.required === true ? c.name : `[${c.name}]`)),
    ...(bySource === true ? ["[source]"] : []),
  ];
  const decoders = Object.entries(DECODERS).map(([name, decoder]) => {
    const args = [...decoder.values.map((value) => value.name), ...constants(decoder)].join(", ");
    return `| \`sap_${name}(${args})\` | ${decoder.does} | \`${decoder.reason}\` |`;
  });
  const formats = Object.entries<ChangeFormat>(CHANGE_FORMATS).map(([name, format]) => {
    const meaning = format.rules.map(({ when, is }) => {
      const values = when.map((list, i) => {
        const [blank, minus] = format.operation[i]?.as === "sign" ? ["0 or more", "less than 0"] : ["blank", "-"];
        return list?.map((value) => (value === "" ? blank : value === "-" ? minus : value)).join(", ") ?? "any";
      });
      return `${values.length === 0 ? "all" : values.join(" with ")}: ${typeof is === "string" ? is : is.refused}`;
    });
    const sequence = format.sequence.map((names) => names.join(" or ")).join(", ");
    return `| \`${name}\` | ${format.from} | ${meaning.join("; ")} | ${sequence === "" ? "delivery order" : sequence} | ${format.ties} |`;
  });
  const text = `# Functions for SAP's values

Generated from \`packages/ingot/src/sap\`. How they are used: [sap.md](sap.md). Each has two more forms: \`try_sap_…\` gives NULL where
the strict one raises its reason, and \`sap_…_reason\` gives the reason, or NULL. Arguments in brackets may be left out; all can be
named (\`source => 'ECC'\`). All but the values are constants.

| function | gives | reason |
|---|---|---|
${decoders.join("\n")}

## Change formats

| format | from | operation | sequence | of equal sequence wins |
|---|---|---|---|---|
${formats.join("\n")}
`;
  await expect(text).toMatchFileSnapshot("../../docs/sap-functions.md");
});

it("docs/sap-faults.md lists every kind of fault", async () => {
  const line = (
    name: string,
    share: string,
    { does, expected }: { readonly does: string; readonly expected: string },
  ) => `| \`${name}\` | ${does} | ${share} | ${expected} |`;
  const percent = (rate: number) => `${Number((rate * 100).toFixed(2))} %`;
  const rows = Object.entries<FaultKind>(FAULTS).map(([name, kind]) =>
    line(name, kind.isNamed === true ? "" : percent(kind.rate), kind),
  );
  const named = Object.entries({ ...FILE_FAULTS, ...AFTERMATH, ...STANDING }).map(([name, kind]) =>
    line(name, "", kind),
  );
  const text = `# Faults of synthetic data

Generated from \`packages/ingot/src/sap/generate/faults\`: what \`ingot sap generate --faults\` can put into deliveries
([sap.md](sap.md#synthetic-data)). A share is that of the rows which a kind fits. Kinds with a share are \`default\`; the others are named, or \`all\`. In few rows each kind
happens once all the same. Those that only a sequence makes visible are left out where a format has none.

| kind | is | default | what should come of it |
|---|---|---|---|
${[...rows, line("redelivered", "1 of 24 batches", REDELIVERED), line("lost_token", "", LOST_TOKEN), ...named].join("\n")}
`;
  await expect(text).toMatchFileSnapshot("../../docs/sap-faults.md");
});

it("docs/delta-api.md lists all that @ingot/delta exports", async () => {
  const entry = fileURLToPath(new URL("../../packages/delta/src/index.ts", import.meta.url));
  const text = `# API of @ingot/delta

Generated from the doc comments of \`packages/delta/src\`. Versions, row ids and LONG values are \`bigint\`; times are
milliseconds since the epoch, sizes are bytes, positions of rows count from 0, unless a comment says otherwise. Every
error that the library raises on purpose is a \`DeltaError\` with a stable \`code\`; errors of the store (disk full, no
rights, no network) pass through as they are. An operation that rejects has committed nothing, except where its comment
says otherwise; what it wrote is in no version, and VACUUM removes it.

${apiReference(entry)}
`;
  await expect(text).toMatchFileSnapshot("../../docs/delta-api.md");
}, 30_000);
