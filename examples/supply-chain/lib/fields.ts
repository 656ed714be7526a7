import { BATCHES } from "./batch-level";
import type { Extract } from "./extract";

const IBP = { client: null } as const;
const TEXTS = { language: "spras", optional: true } as const;

const BATCH = `lvorm flag, ersda date, ernam, laeda date, aenam, vfdat date, hsdat date, qndat date, lwedt date, zustd, licha,
  lifnr alpha10`;

export const EXTRACTS: Readonly<Record<string, Extract>> = {
  // Planning
  DEMAND_ACTUAL: {
    ...IBP,
    key: "period_id period, material matnr, market",
    fields: `period, actual_qty quantity, actual_revenue amount, actual_orders integer, shipped_qty quantity,
      delivered_qty quantity, returns_qty quantity, net_actual_qty quantity, net_revenue amount, discounts amount,
      final_revenue amount, service_level decimal5.2, currency currency, uom unit`,
  },
  DEMAND_FORECAST: {
    ...IBP,
    key: "period_id period, material matnr, market",
    fields: `period, consensus_demand quantity, ibp_consensus_forecast quantity, budget_volumes quantity,
      sc_forecast_override decimal13.3, statistical_forecast quantity, upside quantity, ibp_forecast quantity,
      ibp_consensus_forecast_prior quantity, fcst_snapshot_1 decimal13.3, fcst_snapshot_2 decimal13.3,
      fcst_snapshot_3 decimal13.3, fcst_snapshot_4 decimal13.3, fcst_snapshot_5 decimal13.3,
      fcst_snapshot_6 decimal13.3, fcst_snapshot_7 decimal13.3, fcst_snapshot_8 decimal13.3,
      fcst_snapshot_9 decimal13.3, fcst_snapshot_10 decimal13.3, fcst_snapshot_11 decimal13.3,
      fcst_snapshot_12 decimal13.3, forecast_selector, fcst_variance_snapshot_1 decimal13.3,
      fcst_variance_snapshot_2 decimal13.3, fcst_variance_snapshot_3 decimal13.3,
      fcst_variance_perc_snapshot_1 decimal9.2, fcst_variance_perc_snapshot_2 decimal9.2,
      fcst_variance_perc_snapshot_3 decimal9.2, uom unit`,
  },
  MASTER_CUSTOMER: {
    ...IBP,
    key: "customer_id",
    fields: `customer_description, customer_region, customer_country_region, demand_type, demand_sub_type,
      latitude decimal9.6, longitude decimal9.6, longttitude decimal9.6`,
  },
  MASTER_CUSTOMER_PRODUCT: {
    ...IBP,
    key: "customer_id, product_id matnr",
    fields: "market_segment, remaining_shelf_life integer",
  },
  MASTER_LOCATION: {
    ...IBP,
    key: "location_id",
    fields: `location_description, location_region, location_type, latitude decimal9.6, longitude decimal9.6,
      longttitude decimal9.6`,
  },
  MASTER_LOCATION_PRODUCT: {
    ...IBP,
    key: "location_id, product_id matnr",
    fields: "material_description, plant_exclusion_x flag, market_dc_x flag",
  },

  // Purchasing
  EKKO: {
    key: "ebeln alpha10",
    fields: `bukrs, bstyp, bsart, loekz, statu, aedat date, ernam, lifnr alpha10, ekorg, ekgrp, waers currency, wkurs decimal9.5,
      bedat day, reswk, procstat`,
  },
  EKPO: {
    key: "ebeln alpha10, ebelp numc5",
    fields: `loekz, txz01, matnr matnr, bukrs, werks, lgort, matkl, infnr alpha10, menge quantity, meins unit, bprme unit,
      bpumz integer, bpumn integer, netpr amount, peinh integer, netwr amount, elikz flag, erekz flag, pstyp, wepos flag,
      repos flag, retpo flag`,
  },
  EKET: {
    key: "ebeln alpha10, ebelp numc5, etenr numc4",
    fields: "eindt day, slfdt date, menge quantity, wemng decimal13.3",
  },
  EKBE: {
    key: "ebeln alpha10, ebelp numc5, zekkn numc2, vgabe, gjahr numc4, belnr alpha10, buzei numc4",
    fields: "budat date, menge quantity, wrbtr amount, waers currency, shkzg, wesbs quantity",
  },
  LFA1: {
    key: "lifnr alpha10",
    fields: `name1, land1, ort01, pstlz, pstl2, pfach, stras, adrnr, erdat date, ernam, ktokk, loevm flag, sperm flag,
      sperr flag`,
  },
  LFB1: { key: "lifnr alpha10, bukrs", fields: "intad, loevm flag, sperr flag" },
  LFM1: {
    key: "lifnr alpha10, ekorg",
    fields: "waers currency, zterm, inco1, plifz integer, loevm flag, sperm flag",
  },

  // Materials, batches, stock
  MARA: {
    key: "matnr matnr",
    fields: `lvorm flag, mtart, matkl, bismt, meins unit, vpsta, pstat, mstae, xchpf flag, mhdhb integer, mhdrz integer,
      iprkz`,
  },
  MARC: {
    key: "matnr matnr, werks",
    fields: `lvorm flag, xchar flag, plifz integer, webaz integer, eisbe quantity, umlmc quantity, trame quantity,
      bwesb quantity, lfgja numc4, lfmon numc2`,
  },
  MARCH: {
    key: "matnr matnr, werks, lfgja numc4, lfmon numc2",
    fields: "umlmc quantity, trame quantity",
  },
  MARD: {
    key: "matnr matnr, werks, lgort",
    fields: `ersda date, lfgja numc4, lfmon numc2, labst quantity, insme quantity, speme quantity, einme quantity,
      umlme quantity, retme quantity`,
  },
  MARDH: {
    key: "matnr matnr, werks, lgort, lfgja numc4, lfmon numc2",
    fields: "labst quantity, insme quantity, speme quantity, einme quantity, umlme quantity, retme quantity",
  },
  MBEW: {
    key: "matnr matnr, bwkey, bwtar?",
    fields: `lbkum quantity, salk3 amount, vprsv, verpr amount, stprs amount, peinh integer, lfgja numc4, lfmon numc2`,
  },
  MBEWH: {
    key: "matnr matnr, bwkey, bwtar?, lfgja numc4, lfmon numc2",
    fields: "vprsv, verpr amount, stprs amount, peinh integer",
  },
  ...(BATCHES === "MCHA" ? { MCHA: { key: "matnr matnr, werks, charg", fields: BATCH } } : {}),
  MCH1: { key: "matnr matnr, charg", fields: BATCH },
  MCHB: {
    key: "matnr matnr, werks, lgort, charg",
    fields: `ersda date, lfgja numc4, lfmon numc2, clabs quantity, cinsm quantity, cspem quantity, ceinm quantity,
      cumlm quantity, cretm quantity`,
  },
  MCHBH: {
    key: "matnr matnr, werks, lgort, charg, lfgja numc4, lfmon numc2",
    fields: "clabs quantity, cinsm quantity, cspem quantity, ceinm quantity, cumlm quantity, cretm quantity",
  },
  MSLB: {
    key: "matnr matnr, werks, charg?, sobkz, lifnr alpha10",
    fields: `ersda date, lfgja numc4, lfmon numc2, lblab quantity, lbins quantity, lbein quantity, lbuml quantity`,
  },
  MSLBH: {
    key: "matnr matnr, werks, charg?, sobkz, lifnr alpha10, lfgja numc4, lfmon numc2",
    fields: "lblab quantity, lbins quantity, lbein quantity, lbuml quantity",
  },

  // Quality
  QALS: {
    client: "mandant",
    key: "prueflos numc12",
    fields: `werk, art, herkunft, matnr matnr, charg, lichn, lagortchrg, lifnr alpha10, ebeln alpha10, ersteldat day,
      aenderdat date, pastrterm date, paendterm day, losmenge quantity, mengeneinh unit, lmengeist quantity,
      lmengesch quantity, lmengepr quantity, einhprobe unit`,
  },
  QAVE: {
    client: "mandant",
    key: "prueflos numc12, kzart, zaehler",
    fields: "vcode, vbewertung, vname, vdatum date",
  },

  // Customizing
  T001: { key: "bukrs", fields: "butxt, waers currency, spras, periv" },
  T001K: { key: "bwkey", fields: "bukrs" },
  T001L: { key: "werks, lgort", fields: "lgobe" },
  T001W: { key: "werks", fields: "name1, bwkey, land1" },
  T024: { key: "ekgrp", fields: "eknam", optional: true },
  T024E: { key: "ekorg", fields: "ekotx", optional: true },
  TCURF: { key: "kurst, fcurr currency, tcurr currency, gdatu", fields: "ffact integer, tfact integer" },
  TCURR: {
    key: "kurst, fcurr currency, tcurr currency, gdatu",
    fields: "ukurs decimal9.5, ffact integer, tfact integer",
  },
  TCURX: { client: null, key: "currkey", fields: "currdec integer" },
  T006: { key: "msehi", fields: "dimid, andec integer, isocode", optional: true },

  // Texts
  MAKT: { ...TEXTS, key: "matnr matnr, spras", fields: "maktx, maktg" },
  T006A: { ...TEXTS, key: "spras, msehi", fields: "mseh3, msehl" },
  T023T: { ...TEXTS, key: "spras, matkl", fields: "wgbez, wgbez60" },
  T134T: { ...TEXTS, key: "spras, mtart", fields: "mtbez" },
  T161T: { ...TEXTS, key: "spras, bsart, bstyp", fields: "batxt" },
  TCURT: { ...TEXTS, key: "spras, waers", fields: "ltext" },
  TQ30T: { ...TEXTS, language: "sprache", client: "mandant", key: "sprache, art", fields: "kurztext" },
  TQ31T: { ...TEXTS, language: "sprache", client: "mandant", key: "sprache, herkunft", fields: "herktxt" },
};
