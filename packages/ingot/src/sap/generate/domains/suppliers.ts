import { dats } from "../calendar.js";
import { padded } from "../decimal.js";
import type { Domain, Emit, Entity, Moment } from "../domain.js";
import type { Random } from "../random.js";
import { type Company, companyFor, randomOf, type World } from "../world.js";
import { masterData } from "./master-data.js";

/** What documents take from their supplier. */
export interface SupplierTerms {
  readonly country: string;
  readonly currency: string;
  readonly company: Company;
  readonly terms: string;
  /** How many days goods take. */
  readonly days: number;
}

const COUNTRIES: readonly (readonly [number, readonly [country: string, currency: string]])[] = [
  [62, ["DE", "EUR"]],
  [15, ["US", "USD"]],
  [8, ["GB", "GBP"]],
  [7, ["CH", "CHF"]],
  [5, ["JP", "JPY"]],
  [3, ["HU", "HUF"]],
];
const NAMES = ["Stahl", "Metall", "Chemie", "Parts", "Plastics", "Glas"] as const;

export function supplierNumber(number: number): string {
  return padded(100_000 + number, 10);
}

export function supplierTerms(world: World, number: number): SupplierTerms {
  const random = randomOf(world, "LFA1-terms", number);
  const drawn = random.weighted(COUNTRIES);
  // The first come from all countries.
  const [country, currency] = COUNTRIES[number]?.[1] ?? drawn;
  return {
    country,
    currency,
    company: companyFor(country),
    terms: random.pick(["ZB30", "ZB60"]),
    days: random.between(3, 40),
  };
}

export function suppliers(world: World): Domain {
  const kind = { name: "suppliers", table: "LFA1", count: world.volumes.suppliers, oneChangeIn: 200, age: 2000 };
  return masterData(world, kind, (number, created, random) => new Supplier(world, number, created, random));
}

class Supplier implements Entity {
  readonly #terms: SupplierTerms;
  readonly #name: string;
  #street: number;
  #isBlocked = false;
  #isLeaving = false;

  readonly #number: number;
  readonly #created: number;

  constructor(world: World, number: number, created: number, random: Random) {
    this.#number = number;
    this.#created = created;
    this.#terms = supplierTerms(world, number);
    this.#name = `${random.pick(NAMES)} ${number} ${this.#terms.country === "US" ? "Corp." : "AG"}`;
    this.#street = random.between(1, 200);
  }

  change(_: Moment, random: Random): void {
    if (random.chance(0.1)) this.#isLeaving = !this.#isLeaving;
    else if (random.chance(0.3)) this.#isBlocked = !this.#isBlocked;
    else this.#street = (this.#street % 200) + 1;
  }

  rows(emit: Emit): void {
    const { country, currency, company, terms, days } = this.#terms;
    const [lifnr, created] = [supplierNumber(this.#number), dats(this.#created)];
    const blocked = this.#isBlocked ? "X" : "";
    const leaving = this.#isLeaving ? "X" : "";
    emit("LFA1", {
      LIFNR: lifnr,
      LAND1: country,
      NAME1: this.#name,
      ORT01: `City ${this.#number % 50}`,
      PSTLZ: padded((this.#number * 7919) % 100_000, 5),
      SORTL: this.#name.slice(0, 10).toUpperCase(),
      STRAS: `Road ${this.#street}`,
      ADRNR: padded(30_000 + this.#number, 10),
      ERDAT: created,
      ERNAM: "MASTER",
      KTOKK: "KRED",
      LOEVM: leaving,
      SPERM: blocked,
      SPRAS: country === "DE" ? "D" : "E",
    });
    const dated = { LIFNR: lifnr, ERDAT: created, ERNAM: "MASTER" };
    emit("LFB1", { ...dated, BUKRS: company.code, AKONT: "0000160000", ZTERM: terms, ZWELS: "T" });
    emit("LFM1", {
      ...dated,
      EKORG: company.code,
      SPERM: blocked,
      WAERS: currency,
      ZTERM: terms,
      INCO1: "DAP",
      EKGRP: "001",
      PLIFZ: `${days}`,
    });
  }
}
