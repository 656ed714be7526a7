import { dats } from "../calendar.js";
import { padded } from "../decimal.js";
import type { Domain, Emit, Entity, Moment } from "../domain.js";
import type { Random } from "../random.js";
import { type Company, companyFor, randomOf, type World } from "../world.js";
import { masterData } from "./master-data.js";

/** What documents take from their customer. */
export interface CustomerTerms {
  readonly country: string;
  readonly currency: string;
  readonly company: Company;
  readonly terms: string;
  readonly incoterms: string;
}

/** Currencies of a thousand customers, with a country each. */
const COUNTRIES: readonly (readonly [number, readonly [country: string, currency: string]])[] = [
  [545, ["DE", "EUR"]],
  [120, ["FR", "EUR"]],
  [170, ["US", "USD"]],
  [60, ["GB", "GBP"]],
  [50, ["CH", "CHF"]],
  [30, ["JP", "JPY"]],
  [10, ["HU", "HUF"]],
  [10, ["KR", "KRW"]],
  [5, ["TN", "TND"]],
];
export const TERMS = ["0001", "ZB01", "ZB30", "ZB60"] as const;
const FIRST = ["Nord", "Alpen", "Stadt", "Blue", "Fine", "Müller", "Sakura", "Grand"] as const;
const SECOND = ["werk", "markt", "Foods", "Tools", "Supply", "& Söhne", "Labs", "Hotels"] as const;
const CITIES = ["Berlin", "Lyon", "Austin", "Leeds", "Zürich", "Osaka", "Győr", "Sfax"] as const;

export function customerNumber(number: number): string {
  return padded(100_000 + number, 10);
}

/** The first customers come from all countries, so that the smallest scale has each currency. */
function countryOf(number: number, random: Random): readonly [string, string] {
  const drawn = random.weighted(COUNTRIES);
  return (number % 97 < COUNTRIES.length ? COUNTRIES[number % 97]?.[1] : undefined) ?? drawn;
}

export function customerTerms(world: World, number: number): CustomerTerms {
  const random = randomOf(world, "KNA1-terms", number);
  const [country, currency] = countryOf(number, random);
  return {
    country,
    currency,
    company: companyFor(country),
    terms: random.pick(TERMS),
    incoterms: random.pick(["EXW", "FCA", "DAP"]),
  };
}

export function customers(world: World): Domain {
  const kind = { name: "customers", table: "KNA1", count: world.volumes.customers, oneChangeIn: 200, age: 2000 };
  return masterData(world, kind, (number, created, random) => new Customer(world, number, created, random));
}

class Customer implements Entity {
  readonly #terms: CustomerTerms;
  #name: string;
  #house: number;
  #city: string;
  #group: string;
  #isLeaving = false;

  readonly #number: number;
  readonly #created: number;

  constructor(world: World, number: number, created: number, random: Random) {
    this.#number = number;
    this.#created = created;
    this.#terms = customerTerms(world, number);
    this.#name = `${random.pick(FIRST)}${random.pick(SECOND)} ${number}`;
    this.#house = random.between(1, 200);
    this.#city = random.pick(CITIES);
    this.#group = padded(random.between(1, 9), 2);
  }

  change(_: Moment, random: Random): void {
    const drawn = random.below(10);
    if (drawn === 0) this.#isLeaving = !this.#isLeaving;
    else if (drawn < 3) this.#name = `${random.pick(FIRST)}${random.pick(SECOND)} ${this.#number}`;
    else if (drawn < 5) this.#group = padded(random.between(1, 9), 2);
    else this.#city = random.pick(CITIES);
    this.#house = (this.#house % 200) + 1;
  }

  rows(emit: Emit): void {
    const { country, currency, company, terms, incoterms } = this.#terms;
    const kunnr = customerNumber(this.#number);
    emit("KNA1", {
      KUNNR: kunnr,
      LAND1: country,
      NAME1: this.#name,
      ORT01: this.#city,
      PSTLZ: padded((this.#number * 7919) % 100_000, 5),
      SORTL: this.#name.slice(0, 10).toUpperCase(),
      STRAS: `Straße ${this.#house}`,
      ADRNR: padded(20_000 + this.#number, 10),
      ERDAT: dats(this.#created),
      KTOKD: "0001",
      LOEVM: this.#isLeaving ? "X" : "",
      SPRAS: country === "DE" ? "D" : country === "JP" ? "J" : "E",
    });
    emit("KNVV", {
      KUNNR: kunnr,
      VKORG: company.code,
      VTWEG: "10",
      SPART: "00",
      KDGRP: this.#group,
      BZIRK: `${country}0001`,
      WAERS: currency,
      INCO1: incoterms,
      ZTERM: terms,
    });
  }
}
