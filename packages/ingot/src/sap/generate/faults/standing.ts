import type { Row, RowTable } from "../rows.js";
import type { Fault, StandingName } from "./fault.js";

/** What is in the data from the start to the end, and so in the truth. */
export const STANDING = {
  unknown_product: {
    rate: 0.01,
    does: "a product of the planning system, with all its rows, that MARA does not have",
    expected: "kept and counted, with a row of its own in the dimension",
  },
} as const satisfies Readonly<
  Record<StandingName, { readonly rate: number; readonly does: string; readonly expected: string }>
>;

/** The number of a product that no material has. */
export function unknownProduct(number: number): string {
  return `UNKNOWN-${number}`;
}

/** Tells the standing faults while the rows of the start go by: each product once a table. */
export class StandingFaults {
  readonly #tell: (fault: Fault) => void;
  readonly #told = new Set<string>();

  constructor(tell: (fault: Fault) => void) {
    this.#tell = tell;
  }

  take(table: RowTable, row: Row): void {
    const place = table.fields.findIndex(({ name }) => name === "PRODUCT_ID" || name === "MATERIAL");
    const product = row[place];
    if (product?.startsWith("UNKNOWN-") !== true) return;
    const told = `${table.name} ${product}`;
    if (this.#told.has(told)) return;
    this.#told.add(told);
    const { expected } = STANDING.unknown_product;
    const key = { [table.fields[place]?.name ?? ""]: product };
    this.#tell({ kind: "unknown_product", table: table.name, key, batch: 0, expected });
  }
}
