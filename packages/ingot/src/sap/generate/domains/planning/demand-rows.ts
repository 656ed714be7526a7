import { decimal, divideHalfUp, padded } from "../../decimal.js";
import type { Emit } from "../../domain.js";
import type { Random } from "../../random.js";
import { randomOf, type World } from "../../world.js";
import { materialTerms } from "../materials.js";
import { periodOf } from "../stock/periods.js";
import type { Market } from "./markets.js";

/** Hundredths of a year's mean, by month. */
const SEASON = [80, 85, 95, 100, 110, 120, 115, 105, 100, 100, 95, 95] as const;
/** Months that are planned from the start on. */
const AHEAD = 3;
const SNAPSHOTS = 12;

interface Plan {
  readonly period: { readonly PERIOD: string; readonly PERIOD_ID: string };
  readonly key: { readonly MATERIAL: string; readonly MARKET: string };
  readonly unit: string;
  /** Whole units. */
  readonly statistical: number;
}

/** Two years at most of one material in one market: what was asked for, and what was planned. */
export function emitDemand(
  world: World,
  { number, product }: { readonly number: number; readonly product: string },
  market: Market,
  emit: Emit,
): void {
  const random = randomOf(world, "demand", `${number}/${market.id}`);
  const { unit, price } = materialTerms(world, number);
  const now = periodOf(world.start);
  const first = Math.max(now - 24, periodOf(world.start - world.volumes.history));
  const mean = random.logNormal(120);
  const isDiscontinued = number % 50 === 13;
  for (let p = first; p < now + AHEAD; p++) {
    const [year, month] = [Math.floor(p / 12), padded((p % 12) + 1, 2)];
    const statistical = Math.round((mean * (SEASON[p % 12] ?? 100) * (100 + p - first)) / 10_000);
    const plan: Plan = {
      period: { PERIOD: `${year}-${month}`, PERIOD_ID: `${year}${month}` },
      key: { MATERIAL: product, MARKET: market.id },
      unit,
      statistical,
    };
    const actual = random.chance(0.05) ? 0 : Math.round((statistical * random.between(70, 130)) / 100);
    if (p < now && !(isDiscontinued && p >= now - 3)) emitActual(plan, actual, price, random, emit);
    emitForecast(plan, market.bias, number % 50 === 11, random, emit);
  }
}

function emitActual({ period, key, unit }: Plan, actual: number, price: number, random: Random, emit: Emit): void {
  const delivered = Math.floor((actual * random.between(90, 100)) / 100);
  const returned = random.chance(0.1) ? Math.floor(delivered / 20) : 0;
  const [revenue, net] = [actual * price, (actual - returned) * price];
  const discounts = divideHalfUp(net * random.below(10), 100);
  const quantity = (units: number) => decimal(units * 1000, 3);
  emit("DEMAND_ACTUAL", {
    ...period,
    ...key,
    ACTUAL_QTY: quantity(actual),
    ACTUAL_REVENUE: decimal(revenue, 2),
    ACTUAL_ORDERS: `${Math.ceil(actual / 10)}`,
    SHIPPED_QTY: quantity(Math.max(delivered, Math.floor((actual * 98) / 100))),
    DELIVERED_QTY: quantity(delivered),
    RETURNS_QTY: quantity(returned),
    NET_ACTUAL_QTY: quantity(actual - returned),
    NET_REVENUE: decimal(net, 2),
    DISCOUNTS: decimal(discounts, 2),
    FINAL_REVENUE: decimal(net - discounts, 2),
    SERVICE_LEVEL: actual === 0 ? "" : decimal(divideHalfUp(delivered * 10_000, actual), 2),
    CURRENCY: "EUR",
    UOM: unit,
  });
}

/** Consensus is the planner's number where he gave one, on a tenth of the rows; snapshots drift from it the older they are. */
function emitForecast(
  { period, key, unit, statistical }: Plan,
  bias: number,
  isNew: boolean,
  random: Random,
  emit: Emit,
): void {
  const biased = Math.round((statistical * bias) / 100);
  const override = random.chance(0.1) ? Math.round((biased * random.between(80, 130)) / 100) : undefined;
  const consensus = override ?? biased;
  const quantity = (units: number) => decimal(units * 1000, 3);
  const snapshots = Array.from({ length: isNew ? 0 : SNAPSHOTS }, (_, n) =>
    Math.round((consensus * random.between(98 - n, 102 + n)) / 100),
  );
  const variance = (n: number) => consensus - (snapshots[n - 1] ?? 0);
  const compared = [1, 2, 3].filter((n) => snapshots[n - 1] !== undefined);
  emit("DEMAND_FORECAST", {
    ...period,
    ...key,
    CONSENSUS_DEMAND: quantity(consensus),
    IBP_CONSENSUS_FORECAST: quantity(consensus),
    BUDGET_VOLUMES: quantity(Math.round((statistical * 105) / 100)),
    SC_FORECAST_OVERRIDE: override === undefined ? "" : quantity(override),
    STATISTICAL_FORECAST: quantity(statistical),
    UPSIDE: quantity(Math.round(statistical / 10)),
    IBP_FORECAST: quantity(consensus),
    IBP_CONSENSUS_FORECAST_PRIOR: quantity(biased),
    ...Object.fromEntries(snapshots.map((snapshot, i) => [`FCST_SNAPSHOT_${i + 1}`, quantity(snapshot)])),
    FORECAST_SELECTOR: override === undefined ? "STAT" : "OVERRIDE",
    ...Object.fromEntries(compared.map((n) => [`FCST_VARIANCE_SNAPSHOT_${n}`, quantity(variance(n))])),
    ...Object.fromEntries(
      compared.flatMap((n) => {
        const snapshot = snapshots[n - 1] ?? 0;
        return snapshot === 0 ? [] : [[`FCST_VARIANCE_PERC_SNAPSHOT_${n}`, shareOf(variance(n), snapshot)]];
      }),
    ),
    UOM: unit,
  });
}

/** A part in hundredths of a per cent, signed. */
function shareOf(part: number, whole: number): string {
  return decimal(Math.sign(part) * divideHalfUp(Math.abs(part) * 10_000, whole), 2);
}
