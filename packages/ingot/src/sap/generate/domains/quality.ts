import { dats } from "../calendar.js";
import { decimal, padded } from "../decimal.js";
import type { Domain, Emit, Entity, Moment } from "../domain.js";
import type { Random } from "../random.js";
import { creationOf, plantCode, randomOf, type World } from "../world.js";
import { materialTerms } from "./materials.js";
import { createPurchaseOrder, type PurchaseOrder, purchaseNumber } from "./purchasing/purchase-order.js";
import { supplierNumber } from "./suppliers.js";

/** Where lots come from, in a hundred: goods receipts, production, recurring inspection. */
const ORIGINS: readonly (readonly [number, string])[] = [
  [70, "01"],
  [25, "04"],
  [5, "09"],
];

/** Inspection lots: one of each purchase order's first item, or of a material of that order's that is made. */
export function quality(world: World): Domain {
  const { volumes } = world;
  return {
    name: "quality",
    count: volumes.purchaseOrders,
    changesPerDay: Math.ceil(volumes.changesPerDay / 100),
    creations: 0,
    ages: true,
    existing: (number) => new InspectionLot(world, number),
    created: () => {
      throw new Error("lots are of orders that are there from the start");
    },
  };
}

class InspectionLot implements Entity {
  readonly #number: number;
  readonly #order: PurchaseOrder;
  readonly #origin: string;
  readonly #created: number;
  readonly #inspectionDays: number;
  readonly #defects: number;
  readonly #unit: string;
  readonly #matnr: string;
  #decision: { readonly day: number; readonly valuation: "A" | "R" } | undefined;
  #changed: number | undefined;

  constructor(world: World, number: number) {
    const { purchaseOrders } = world.volumes;
    // As the order has it.
    const orderRandom = randomOf(world, "EKKO", number);
    const created = creationOf(world, number, purchaseOrders, orderRandom);
    this.#order = createPurchaseOrder(world, number, created, orderRandom);
    this.#number = number;
    const random = randomOf(world, "QALS", number);
    this.#origin = random.weighted(ORIGINS);
    this.#created = created.day + random.between(1, 10);
    this.#inspectionDays = random.between(1, 8);
    this.#defects = random.chance(0.2) ? random.below(3) : 0;
    const terms = materialTerms(world, this.#order.items[0]?.material ?? 0);
    [this.#unit, this.#matnr] = [terms.unit, terms.matnr];
    const decided = this.#created + random.between(0, 12);
    if (decided < world.start && random.chance(0.9)) this.#decide(decided, random);
  }

  #decide(day: number, random: Random): void {
    this.#decision = { day, valuation: random.chance(0.08) ? "R" : "A" };
  }

  change({ day }: Moment, random: Random): void {
    if (this.#decision === undefined) this.#decide(day, random);
    this.#changed = day;
  }

  rows(emit: Emit): void {
    const [item] = this.#order.items;
    if (item === undefined) return;
    const isSupplied = this.#origin === "01";
    const number = `${this.#origin}${padded(this.#number, 10)}`;
    emit("QALS", {
      PRUEFLOS: number,
      WERK: plantCode(item.plant),
      ART: this.#origin,
      HERKUNFT: this.#origin,
      MATNR: this.#matnr,
      LAGORTCHRG: item.storage,
      ...(isSupplied ? { LIFNR: supplierNumber(this.#order.supplier), EBELN: purchaseNumber(this.#order) } : {}),
      ERSTELDAT: dats(this.#created),
      AENDERDAT: this.#changed === undefined ? "00000000" : dats(this.#changed),
      PASTRTERM: dats(this.#created),
      PAENDTERM: dats(this.#created + this.#inspectionDays),
      LOSMENGE: decimal(item.quantity, 3),
      MENGENEINH: this.#unit,
      LMENGEIST: decimal(item.quantity, 3),
      LMENGESCH: decimal(this.#defects * 1000, 3),
      LMENGEPR: "1.000",
      EINHPROBE: "ST",
    });
    if (this.#decision === undefined) return;
    const { day, valuation } = this.#decision;
    const decision = {
      PRUEFLOS: number,
      VCODE: `${valuation}1`,
      VBEWERTUNG: valuation,
      VNAME: "QM",
      VDATUM: dats(day),
    };
    emit("QAVE", { ...decision, KZART: "L", ZAEHLER: "000001" });
    // A decision on a part of the lot, which is none on the lot.
    if (this.#number % 10 === 3) emit("QAVE", { ...decision, KZART: "P", ZAEHLER: "000002", VBEWERTUNG: "A" });
  }
}
