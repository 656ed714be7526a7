import { expect, it } from "vitest";
import { openDictionary } from "../sap/dictionary/dictionary.js";

// `npx vitest run packages/ingot/src/define/sap-dictionary.test.ts -u` writes it again.
it("sap-dictionary.ts has the tables and fields of both releases", async () => {
  const [ecc, s4] = await Promise.all([openDictionary("ecc"), openDictionary("s4")]);
  const tables = ecc.names.map((name) => {
    const fields = [ecc, s4].flatMap((dictionary) => dictionary.table(name)?.fields ?? []);
    const names = new Set(fields.map((field) => field.name.toLowerCase()));
    return `  ${name}: Fields<"${[...names].join(" ")}">;`;
  });
  await expect(`// Generated from \`sap/dictionary\` by the test beside it.

type Words<S extends string, Found = never> = S extends \`\${infer First} \${infer Rest}\`
  ? Words<Rest, Found | First>
  : Found | S;
type Fields<S extends string> = { readonly [Field in Words<S> & string]: "STRING" };

/** SAP tables by name, with their fields in ECC or S/4HANA as columns of texts; widened by a project with its own. */
export interface Dictionary {
${tables.join("\n")}
}
`).toMatchFileSnapshot("./sap-dictionary.ts");
});
