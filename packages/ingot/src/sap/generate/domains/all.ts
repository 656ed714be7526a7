import type { Domain } from "../domain.js";
import type { World } from "../world.js";
import { accounting } from "./accounting.js";
import { classification } from "./classification.js";
import { customers } from "./customers.js";
import { customizing } from "./customizing.js";
import { exchangeRates } from "./exchange-rates.js";
import { materials } from "./materials.js";
import { planning } from "./planning/planning.js";
import { purchasing } from "./purchasing/purchasing.js";
import { quality } from "./quality.js";
import { sales } from "./sales/sales.js";
import { stock } from "./stock/stock.js";
import { suppliers } from "./suppliers.js";
import { texts } from "./texts.js";

/** A domain and the tables that it writes. */
const entry = (open: (world: World) => Domain, tables: string) => ({ open, tables: tables.split(" ") });

/**
 * All domains. The place of one is a part of its transactions' sequence: new ones come last, so that what others write
 * stays as it is.
 */
export const DOMAINS = [
  entry(customizing, "T001 T001K T001L T001W T002 T006 T024 T024E TCURX"),
  entry(exchangeRates, "TCURR TCURF"),
  entry(customers, "KNA1 KNVV"),
  entry(materials, "MARA MAKT MARC"),
  entry(sales, "VBAK VBAP VBEP VBPA VBKD VBUK VBUP VBFA LIKP LIPS VBRK VBRP BKPF BSEG ACDOCA"),
  entry(suppliers, "LFA1 LFB1 LFM1"),
  entry(accounting, "BKPF BSEG ACDOCA"),
  entry(purchasing, "EKKO EKPO EKET EKBE BKPF BSEG ACDOCA"),
  entry(texts, "T023T T134T T006A TQ30T TQ31T T161T T077K"),
  entry(stock, "MARCH MARD MARDH MCH1 MCHB MCHBH MBEW MBEWH MSLB MSLBH"),
  entry(quality, "QALS QAVE"),
  entry(classification, "AUSP AUSP_BATCH PLKO"),
  entry(
    planning,
    "DEMAND_ACTUAL DEMAND_FORECAST MASTER_CUSTOMER MASTER_CUSTOMER_PRODUCT MASTER_LOCATION MASTER_LOCATION_PRODUCT",
  ),
];
