import { describe, expect, it } from "vitest";
import { openDictionary } from "../dictionary/dictionary.js";
import { defaultSystem, type SapSystem } from "../system.js";
import { accountingDocument } from "./accounting-document.js";
import { type DocumentQuery, printDocument } from "./document-query.js";
import { DocumentFault, type Part } from "./part.js";
import { purchaseOrder } from "./purchase-order.js";
import { partnerFunction, salesOrder } from "./sales-order.js";

const ecc = await defaultSystem();
const s4: SapSystem = {
  conventions: { ...ecc.conventions, release: "s4" },
  dictionary: await openDictionary("s4"),
};

function part(name: string, system = ecc, given: Partial<Part> = {}): Part {
  const table = system.dictionary.table(name);
  if (table === undefined) throw new Error(`no table ${name}`);
  const columns = table.fields.map((field) => field.name.toLowerCase());
  return { table, relation: `${name.toLowerCase()}_cur`, columns, mode: "typed", system, timed: true, ...given };
}

const order = (system: SapSystem) => ({
  header: part("VBAK", system),
  items: part("VBAP", system),
  partners: part("VBPA", system),
  business: part("VBKD", system),
  flow: part("VBFA", system),
});
const DOCUMENTS: readonly (readonly [string, DocumentQuery])[] = [
  ["ECC", salesOrder({ ...order(ecc), status: part("VBUK"), itemStatus: part("VBUP") }, ["WE", "AG"])],
  ["S/4HANA", salesOrder(order(s4), ["WE"])],
  [
    "purchasing",
    purchaseOrder({ header: part("EKKO"), items: part("EKPO"), schedule: part("EKET"), history: part("EKBE") }),
  ],
  ["accounting", accountingDocument({ header: part("BKPF"), items: part("BSEG") })],
];

describe.each(DOCUMENTS)("a document of %s", (_, document) => {
  it("has the client in every join and every group", () => {
    const text = printDocument(document);
    const conditions = text.match(/\n {2}ON .*/g) ?? [];
    expect(conditions).toHaveLength((text.match(/\n(LEFT )?JOIN /g) ?? []).length);
    for (const condition of conditions) expect(condition).toMatch(/\w+\.mandt = \w+\.mandt/);
    for (const group of text.match(/(GROUP|PARTITION) BY .*/g) ?? []) expect(group).toContain("BY mandt");
  });
  it("names no column twice, and begins with its key", () => {
    const names = document.columns.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    const [, ...selected] = printDocument(document).split(/^ {2}.* AS (\w+),?$/m);
    expect(selected.filter((_, i) => i % 2 === 0).slice(0, document.keys.length)).toEqual(document.keys);
  });
});

it("roles are those that PARVW stores, also by the codes of English screens, each once", () => {
  expect(["SP", "sh", "BP", "PY", "we", "ZM"].map(partnerFunction)).toEqual(["AG", "WE", "RE", "RG", "WE", "ZM"]);
  const { columns } = salesOrder({ ...order(ecc) }, ["SH", "WE"]);
  expect(columns.filter(({ name }) => name.startsWith("kunnr_vbpa")).map(({ name }) => name)).toEqual(["kunnr_vbpa"]);
});

it("freshness is that of the parts that know theirs, and none where none does", () => {
  const freshness = (...parts: [Part, Part]) =>
    salesOrder({ header: parts[0], items: parts[1] }, []).columns.find(({ name }) => name === "event_ts")?.sql;
  const [header, items] = [part("VBAK"), part("VBAP")];
  expect(freshness(header, items)).toBe("greatest(vbak.event_ts, vbap.event_ts)");
  expect(freshness({ ...header, timed: false }, items)).toBe("vbap.event_ts");
  expect(freshness({ ...header, timed: false }, { ...items, timed: false })).toBeUndefined();
});

it("a part without a column that is needed is refused", () => {
  const history = part("EKBE", ecc, { columns: ["mandt", "ebeln", "ebelp", "vgabe", "menge"] });
  expect(() => purchaseOrder({ header: part("EKKO"), items: part("EKPO"), history })).toThrow(
    new DocumentFault("needs shkzg of EKBE"),
  );
});
