import { dats, isWeekend, monthEnd } from "../calendar.js";
import { padded } from "../decimal.js";
import type { Domain, Emit, Entity, Moment } from "../domain.js";
import type { Random } from "../random.js";
import { type Company, companies, randomOf, type World } from "../world.js";
import { customerNumber, customerTerms } from "./customers.js";
import { type PostingLine, post } from "./posting.js";
import { supplierNumber, supplierTerms } from "./suppliers.js";

/** A document that accountants post themselves. Amounts are hundredths as CURR stores them. */
interface AccountingDocument {
  readonly number: number;
  readonly company: Company;
  readonly currency: string;
  readonly entered: Moment;
  readonly posted: number;
  readonly type: "SA" | "KR" | "DR";
  readonly lines: readonly PostingLine[];
  isParked: boolean;
  isDeleted: boolean;
  /** The day of the document that takes it back. */
  reversed?: number;
  /** The day and the number of the payment. */
  cleared?: { readonly day: number; readonly number: string };
  text: string;
  assignment: string;
}

const EXPENSES = ["0000400000", "0000415000", "0000430000", "0000476900"] as const;
const COST_CENTRES = ["0000001000", "0000002100", "0000004711"] as const;

/** Documents of accounting itself: general ledger, invoices of suppliers and to customers that logistics does not know. */
export function accounting(world: World): Domain {
  const { accountingDocuments, changesPerDay } = world.volumes;
  return {
    name: "accounting",
    count: accountingDocuments,
    changesPerDay: Math.ceil((changesPerDay * 3) / 10),
    creations: 15,
    ages: true,
    existing: (number) => {
      const random = randomOf(world, "BKPF", number);
      const document = createDocument(world, number, enteredOf(world, number, random), random);
      settle(world, document, random);
      return new DocumentEntity(world, document);
    },
    created: (number, moment, random) => new DocumentEntity(world, createDocument(world, number, moment, random)),
  };
}

/** Numbers rise with the days; two of five documents come in the last three days of their month. */
function enteredOf({ start, volumes }: World, number: number, random: Random): Moment {
  const { history, accountingDocuments } = volumes;
  const drawn = start - history + Math.floor((number * history) / accountingDocuments);
  const late = random.chance(0.4) ? monthEnd(drawn) - random.below(3) : drawn;
  const day = Math.min(isWeekend(late) && random.chance(0.9) ? late - 2 : late, start - 1);
  return { day, second: random.chance(0.0005) ? 86_400 : random.between(6 * 3600, 20 * 3600 - 1) };
}

function createDocument(world: World, number: number, entered: Moment, random: Random): AccountingDocument {
  const type = random.weighted<AccountingDocument["type"]>([
    [40, "SA"],
    [40, "KR"],
    [20, "DR"],
  ]);
  const supplier = random.zipf(world.volumes.suppliers);
  const customer = random.zipf(world.volumes.customers);
  const terms = type === "KR" ? supplierTerms(world, supplier) : customerTerms(world, customer);
  const company = type === "SA" ? (companies()[random.below(2)] ?? terms.company) : terms.company;
  const isParked = random.chance(0.005);
  const isPast = random.chance(0.05);
  return {
    number,
    company,
    currency: type === "SA" ? company.currency : terms.currency,
    entered,
    posted: isPast ? monthEnd(entered.day - 31) : entered.day,
    type,
    lines: linesOf(type, random, { supplier, customer, terms: terms.terms, entered, isParked }),
    isParked,
    isDeleted: false,
    text: `${TEXTS[type]} ${dats(entered.day).slice(2)}`,
    assignment: `${random.below(1_000_000)}`,
  };
}

const TEXTS = { SA: "Accrual", KR: "Supplier invoice", DR: "Service" } as const;

interface Partners {
  readonly supplier: number;
  readonly customer: number;
  readonly terms: string;
  readonly entered: Moment;
  readonly isParked: boolean;
}

/** Some lines of expense or revenue against one of a customer, a supplier or an accrual: they balance. */
function linesOf(type: AccountingDocument["type"], random: Random, partners: Partners): PostingLine[] {
  const { supplier, customer, terms, entered, isParked } = partners;
  const count = 1 + random.geometric(0.65, 40);
  const [side, other] = type === "DR" ? (["H", "S"] as const) : (["S", "H"] as const);
  const lines = Array.from({ length: count }, (): PostingLine => {
    const amount = random.logNormal(25_000);
    const account = type === "DR" ? "0000800000" : random.pick(EXPENSES);
    const fields = { KOSTL: random.pick(COST_CENTRES), PRCTR: padded(1000 + random.below(6), 10) };
    return { account, side, amount, kind: "S", key: side === "S" ? "40" : "50", fields };
  });
  const total = lines.reduce((sum, { amount }) => sum + amount, 0);
  // What is parked may be unfinished.
  const amount = isParked && random.chance(0.7) ? total + random.between(1, 10_000) : total;
  const due = { ZFBDT: dats(entered.day), ZTERM: terms };
  if (type === "SA") lines.push({ account: "0000089000", side: other, amount, kind: "S", key: "50" });
  if (type === "KR") {
    const fields = { ...due, LIFNR: supplierNumber(supplier) };
    lines.unshift({ account: "0000160000", side: other, amount, kind: "K", key: "31", fields });
  }
  if (type === "DR") {
    const fields = { ...due, KUNNR: customerNumber(customer) };
    lines.unshift({ account: "0000140000", side: other, amount, kind: "D", key: "01", fields });
  }
  return lines;
}

/** What had happened to a document before the start. */
function settle({ start }: World, document: AccountingDocument, random: Random): void {
  const day = document.entered.day + random.between(1, 45);
  if (document.isParked || day >= start) return;
  if (random.chance(0.01)) document.reversed = day;
  else if (document.type !== "SA") clear(document, day);
}

function clear(document: AccountingDocument, day: number): void {
  document.cleared = { day, number: padded(2_000_000_000 + document.number, 10) };
}

class DocumentEntity implements Entity {
  readonly #world: World;
  readonly #document: AccountingDocument;

  constructor(world: World, document: AccountingDocument) {
    this.#world = world;
    this.#document = document;
  }

  /** Posted amounts never change: documents are taken back, paid, or their texts change; parked ones are finished. */
  change({ day }: Moment, random: Random): void {
    const document = this.#document;
    if (document.isDeleted) document.isDeleted = false;
    else if (document.isParked && random.chance(0.5)) document.isDeleted = true;
    else if (document.isParked) document.assignment = `${random.below(1_000_000)}/${random.below(1000)}`;
    else if (document.reversed === undefined && document.cleared === undefined && random.chance(0.5)) {
      if (document.type === "SA" || random.chance(0.1)) document.reversed = day;
      else clear(document, day);
    } else document.assignment = `${random.below(1_000_000)}/${random.below(1000)}`;
  }

  rows(emit: Emit): void {
    const document = this.#document;
    if (document.isDeleted) return;
    const { number, reversed, lines, cleared, assignment, text } = document;
    const own = padded(100_000_000 + number, 10);
    const back = padded(1_700_000_000 + number, 10);
    const kept = lines.map((line): PostingLine => {
      const paid =
        cleared === undefined || line.kind === "S"
          ? {}
          : { AUGDT: dats(cleared.day), AUGCP: dats(cleared.day), AUGBL: cleared.number };
      return { ...line, fields: { ...line.fields, ...paid, ZUONR: assignment, SGTXT: text } };
    });
    const { company, currency, entered, posted, type, isParked } = document;
    const common = { company, currency, type, text };
    post(
      this.#world,
      {
        ...common,
        number: own,
        entered,
        posted,
        reference: ["BKPF", `${own}${company.code}${dats(posted).slice(0, 4)}`],
        lines: kept,
        isParked,
        ...(reversed === undefined ? {} : { reversal: { number: back, day: reversed } }),
      },
      emit,
    );
    if (reversed === undefined) return;
    const turned = kept.map((line): PostingLine => ({ ...line, side: line.side === "S" ? "H" : "S" }));
    post(
      this.#world,
      {
        ...common,
        number: back,
        entered: { day: reversed, second: entered.second },
        reference: ["BKPF", `${back}${company.code}${dats(reversed).slice(0, 4)}`],
        lines: turned,
        reversal: { number: own, day: posted },
      },
      emit,
    );
  }
}
