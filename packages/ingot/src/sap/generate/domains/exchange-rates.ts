import { dayOf, invertedDate, isWeekend } from "../calendar.js";
import { decimal } from "../decimal.js";
import type { Domain, Emit } from "../domain.js";
import { randomOf, type World } from "../world.js";

/** Decimals of the currencies that have not two: TCURX. */
export const DECIMALS: ReadonlyMap<string, number> = new Map([
  ["HUF", 0],
  ["JPY", 0],
  ["KRW", 0],
  ["TND", 3],
]);

/** How TCURR quotes a currency against EUR, in hundred-thousandths. */
interface Quotation {
  readonly currency: string;
  readonly rate: number;
  /** `direct`: so many EUR for one; `indirect`: so many for one EUR, as a negative rate; `inverse`: as the rate of EUR. */
  readonly as: "direct" | "indirect" | "inverse";
}

const QUOTATIONS: readonly Quotation[] = [
  { currency: "USD", rate: 92_000, as: "direct" },
  { currency: "GBP", rate: 117_000, as: "direct" },
  { currency: "CHF", rate: 94_500, as: "indirect" },
  { currency: "JPY", rate: 62_000, as: "direct" },
  { currency: "HUF", rate: 40_000_000, as: "inverse" },
  { currency: "TND", rate: 29_500, as: "direct" },
];
/** No table has it: documents bear their own. */
const WON: Quotation = { currency: "KRW", rate: 68, as: "direct" };

/** From this day on JPY is quoted for 1000 units, before for 100. */
const RATIO_CHANGES = dayOf("2024-07-01");
const RATIOS_BEGIN = dayOf("2000-01-01");

function yenUnits(day: number): number {
  return day >= RATIO_CHANGES ? 1000 : 100;
}

/** The rate of a currency to EUR on a day, and amounts by it. */
export interface Rate {
  /** As BKPF-KURSF has it: negative where it is indirect. */
  readonly text: string;
  /** Hundredths of EUR of an amount as CURR stores it, in hundredths, rounded half up. */
  toEuro(stored: number): number;
}

/** @param day weekends go by the Friday before */
export function rateOf(world: World, currency: string, day: number): Rate {
  if (currency === "EUR") return { text: "1.00000", toEuro: (stored) => stored };
  const quotation = QUOTATIONS.find((q) => q.currency === currency) ?? WON;
  const rate = BigInt(rateOn(world, quotation, lastQuoted(day)));
  const isDirect = quotation.as === "direct";
  const units = BigInt(currency === "JPY" ? yenUnits(day) : 1);
  const decimals = DECIMALS.get(currency) ?? 2;
  const [up, down] = decimals < 2 ? [100n, 1n] : decimals > 2 ? [1n, 10n] : [1n, 1n];
  const [times, by] = isDirect ? [rate * up, 100_000n * units * down] : [100_000n * up, rate * units * down];
  return {
    text: decimal(isDirect ? Number(rate) : -Number(rate), 5),
    toEuro: (stored) => Number((2n * BigInt(stored) * times + by) / (2n * by)),
  };
}

function lastQuoted(day: number): number {
  return isWeekend(day) ? lastQuoted(day - 1) : day;
}

function rateOn(world: World, { currency, rate }: Quotation, day: number): number {
  const wave = Math.abs((day % 200) - 100) - 50;
  const jitter = randomOf(world, `TCURR-${currency}`, day).between(-1000, 1000);
  const units = currency === "JPY" ? yenUnits(day) / 100 : 1;
  return Math.round((rate * units * (100_000 + wave * 40 + jitter)) / 100_000);
}

/** Daily rates of six pairs to the end of the changes, and their ratios. They never change. */
export function exchangeRates(world: World): Domain {
  const first = world.start - world.volumes.history;
  return {
    name: "exchange-rates",
    count: world.volumes.history + world.days + 1,
    changesPerDay: 0,
    creations: 0,
    ages: false,
    existing: (number) => ({
      change: () => {},
      rows: (emit) => {
        if (number === 0) emitRatios(emit);
        else if (!isWeekend(first + number - 1)) emitRates(world, first + number - 1, emit);
      },
    }),
    created: () => {
      throw new Error("rates are there from the start");
    },
  };
}

function emitRates(world: World, day: number, emit: Emit): void {
  for (const quotation of QUOTATIONS) {
    const { currency, as } = quotation;
    const rate = rateOn(world, quotation, day);
    emit("TCURR", {
      KURST: "M",
      FCURR: as === "inverse" ? "EUR" : currency,
      TCURR: as === "inverse" ? currency : "EUR",
      GDATU: invertedDate(day),
      UKURS: decimal(as === "indirect" ? -rate : rate, 5),
    });
  }
}

function emitRatios(emit: Emit): void {
  const ratio = (from: string, to: string, day: number, units: number) =>
    emit("TCURF", { KURST: "M", FCURR: from, TCURR: to, GDATU: invertedDate(day), FFACT: `${units}`, TFACT: "1" });
  for (const { currency, as } of QUOTATIONS)
    if (as === "inverse") ratio("EUR", currency, RATIOS_BEGIN, 1);
    else ratio(currency, "EUR", RATIOS_BEGIN, currency === "JPY" ? 100 : 1);
  ratio("JPY", "EUR", RATIO_CHANGES, 1000);
}
