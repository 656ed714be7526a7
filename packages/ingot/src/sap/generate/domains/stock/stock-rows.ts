import { dats } from "../../calendar.js";
import { decimal, divideHalfUp } from "../../decimal.js";
import type { Emit } from "../../domain.js";
import { plantCode, randomOf, type World } from "../../world.js";
import { supplierNumber } from "../suppliers.js";
import type { MaterialStock, Price, Quantities, Stock } from "./material-stock.js";
import { closePeriods, type Period, periodFields, type State } from "./periods.js";
import { TRANSIT_PLANT, transitFields, transitOf } from "./transit.js";

/** There is one in each plant. */
const STORE = "0001";
const DAY_MS = 86_400_000;

/** A day early in a month. */
function dayIn(period: Period): number {
  return Date.UTC(Math.floor(period / 12), period % 12, 5) / DAY_MS;
}

/** Stocks and prices of a material, each as it stands and as its history tells. */
export function emitStock(world: World, material: MaterialStock, emit: Emit): void {
  const { stocks, prices, terms } = material;
  const own = stocks.filter(({ supplier }) => supplier === undefined);
  for (const stock of stocks)
    if (stock.supplier !== undefined) emitVendorStock(terms.matnr, stock, stock.supplier, emit);
    else if (terms.isBatched) emitBatch(world, material, stock, emit);
  const transit = closePeriods(transitOf(world, material.number));
  const key = { MATNR: terms.matnr, WERKS: plantCode(TRANSIT_PLANT) };
  for (const { period, value } of transit.history) emit("MARCH", key, periodFields(period), transitFields(value));
  const { transferred = 0, ordered = 0 } = transit.current?.value ?? {};
  for (const [plant, states] of prices) {
    const here = own.filter((stock) => stock.plant === plant);
    if (here.length > 0) emitStore(terms.matnr, plant, sumStates(here), emit);
    const total = stocks
      .filter((stock) => stock.plant === plant)
      .reduce(
        (sum, { states: s }) => sum + totalOf(s.at(-1)?.value),
        plant === TRANSIT_PLANT ? transferred + ordered : 0,
      );
    emitValuation(terms, plant, states, total, emit);
  }
}

function emitBatch(world: World, { number, terms }: MaterialStock, { plant, batch, states }: Stock, emit: Emit): void {
  const created = dayIn(states[0]?.period ?? 0);
  const random = randomOf(world, "MCH1", `${number}/${batch}`);
  emit("MCH1", {
    MATNR: terms.matnr,
    CHARG: batch,
    ERSDA: dats(created),
    ERNAM: "STORE",
    HSDAT: dats(created - random.between(1, 20)),
    VFDAT: dats(created + random.between(100, 900)),
    LWEDT: dats(created),
    LICHA: `L-${batch}`,
    LIFNR: supplierNumber(random.zipf(world.volumes.suppliers)),
  });
  const key = { MATNR: terms.matnr, WERKS: plantCode(plant), LGORT: STORE, CHARG: batch };
  const fields = (value: Quantities) => ({
    CLABS: decimal(value.unrestricted, 3),
    CINSM: decimal(value.quality, 3),
    CSPEM: decimal(value.blocked, 3),
    CEINM: decimal(value.restricted, 3),
    CUMLM: decimal(value.inTransfer, 3),
  });
  const { history, current } = closePeriods(states);
  for (const { period, value } of history) emit("MCHBH", { ...key, ...periodFields(period), ...fields(value) });
  if (current !== undefined)
    emit("MCHB", { ...key, ERSDA: dats(created), ...periodFields(current.period), ...fields(current.value) });
}

/** A storage location's stock, of all its batches together. */
function emitStore(matnr: string, plant: number, states: readonly State<Quantities>[], emit: Emit): void {
  const key = { MATNR: matnr, WERKS: plantCode(plant), LGORT: STORE };
  const fields = (value: Quantities) => ({
    LABST: decimal(value.unrestricted, 3),
    INSME: decimal(value.quality, 3),
    SPEME: decimal(value.blocked, 3),
    EINME: decimal(value.restricted, 3),
    UMLME: decimal(value.inTransfer, 3),
  });
  const { history, current } = closePeriods(states);
  for (const { period, value } of history) emit("MARDH", { ...key, ...periodFields(period), ...fields(value) });
  if (current !== undefined)
    emit("MARD", {
      ...key,
      PSTAT: "L",
      ERSDA: dats(dayIn(states[0]?.period ?? 0)),
      ...periodFields(current.period),
      ...fields(current.value),
    });
}

function emitVendorStock(matnr: string, { plant, states }: Stock, supplier: number, emit: Emit): void {
  const key = { MATNR: matnr, WERKS: plantCode(plant), SOBKZ: "O", LIFNR: supplierNumber(supplier) };
  const fields = (value: Quantities) => ({
    LBLAB: decimal(value.unrestricted, 3),
    LBINS: decimal(value.quality, 3),
    LBEIN: decimal(value.restricted, 3),
    LBUML: decimal(value.inTransfer, 3),
  });
  const { history, current } = closePeriods(states);
  for (const { period, value } of history) emit("MSLBH", { ...key, ...periodFields(period), ...fields(value) });
  if (current !== undefined) emit("MSLB", { ...key, ...periodFields(current.period), ...fields(current.value) });
}

function emitValuation(
  { matnr, type }: MaterialStock["terms"],
  plant: number,
  states: readonly State<Price>[],
  total: number,
  emit: Emit,
): void {
  const isStandard = type === "FERT";
  const key = { MATNR: matnr, BWKEY: plantCode(plant) };
  const fields = ({ amount, per }: Price) => ({
    VPRSV: isStandard ? "S" : "V",
    STPRS: isStandard ? decimal(amount, 2) : "0.00",
    VERPR: isStandard ? "0.00" : decimal(amount, 2),
    PEINH: `${per}`,
  });
  const { history, current } = closePeriods(states);
  for (const { period, value } of history) emit("MBEWH", { ...key, ...periodFields(period), ...fields(value) });
  if (current === undefined) return;
  const { amount, per } = current.value;
  emit("MBEW", {
    ...key,
    ...periodFields(current.period),
    ...fields(current.value),
    LBKUM: decimal(total, 3),
    SALK3: decimal(divideHalfUp(amount * total, per * 1000), 2),
  });
}

function totalOf(value: Quantities | undefined): number {
  if (value === undefined) return 0;
  return value.unrestricted + value.quality + value.blocked + value.restricted + value.inTransfer;
}

/** The sum of several stocks, in each period in which one of them moved. */
function sumStates(stocks: readonly Stock[]): State<Quantities>[] {
  const periods = [...new Set(stocks.flatMap(({ states }) => states.map(({ period }) => period)))].sort(
    (a, b) => a - b,
  );
  return periods.map((period) => {
    const values = stocks.map(({ states }) => states.findLast((state) => state.period <= period)?.value);
    const sum = (type: keyof Quantities) => values.reduce((total, value) => total + (value?.[type] ?? 0), 0);
    return {
      period,
      value: {
        unrestricted: sum("unrestricted"),
        quality: sum("quality"),
        blocked: sum("blocked"),
        restricted: sum("restricted"),
        inTransfer: sum("inTransfer"),
      },
    };
  });
}
