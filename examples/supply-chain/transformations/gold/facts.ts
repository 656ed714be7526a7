import { config, type Sql, sql } from "ingot";
import { AUDIT, columns, star, UNKNOWN_DAY } from "../../lib/star";

const audit = columns(AUDIT);
/** References to a dimension: its unknown member has blanks. */
const references = (names: readonly string[]): Sql =>
  sql.join(names.map((name) => sql`coalesce(${sql.id("f", name)}, '') AS ${sql.id(name)}`));

/** A date of which there may be none stays NULL: `<date>_key` is for the join. */
const dayReference = (name: string): Sql =>
  sql`coalesce(${sql.id("f", name)}, ${UNKNOWN_DAY}) AS ${sql.id(`${name}_key`)}`;

const scale = sql.raw(config("amount_scale"));
/** In the local currency by the document's rate, rounded to that currency's decimals: as in silver.purchase_order. */
const inLocalCurrency = (value: string): Sql => sql`
      CAST(sap_convert(CAST(${sql.id("f", value)} AS DECIMAL(15,${scale})), f.document_rate, r.ffact, r.tfact, c.decimals,
        scale => ${scale}) AS DECIMAL(18,${scale})) AS ${sql.id(`${value}_lc`)}`;

const ORDER_REFERENCES = [
  "plant",
  "material",
  "supplier_id",
  "supplying_plant",
  "storage_location",
  "order_unit",
  "order_currency",
  "company_code",
  "purchasing_organization",
];
const ORDER_DAYS = ["order_date", "next_schedule_line_date"];
const ORDER_VALUES = [
  "net_order_value",
  "value_to_be_delivered",
  "value_to_be_invoiced",
  "received_not_invoiced_value",
  "received_value",
  "invoiced_value",
];
star(
  "fact_purchase_order",
  ["purchase_order", "item"],
  sql`
    SELECT f.* EXCEPT (${columns(ORDER_REFERENCES)}, text_language, has_header, schedule_matches, value_matches, receipts_match,
        ${audit}),
      ${references(ORDER_REFERENCES)}, ${sql.join(ORDER_DAYS.map(dayReference))},
      ${sql.join(ORDER_VALUES.map(inLocalCurrency))}
    FROM silver.purchase_order AS f
    LEFT JOIN silver.currency AS c ON c.client = f.client AND c.currency = f.local_currency
    LEFT JOIN rate_factors AS r ON r.client = f.client AND r.fcurr = f.order_currency AND r.tcurr = f.local_currency
      AND f.order_date BETWEEN r.valid_from AND r.valid_to`,
);

const STOCK = ["material", "plant", "storage_location", "batch", "stock_category", "owner"];
star(
  "fact_inventory",
  STOCK,
  sql`
    SELECT f.* EXCEPT (batches_match, value_matches, ${audit}), CAST(_load_ts AS DATE) AS snapshot_date
    FROM silver.inventory AS f`,
);
// Semi-additive: never a sum over periods.
star("fact_inventory_month_end_stock", [...STOCK, "period_id"], sql`SELECT * FROM silver.inventory_month_end_stock`);

const LOT_REFERENCES = ["plant", "storage_location", "material", "batch", "batch_plant", "supplier_number", "lot_unit"];
for (const release of ["batch_release_external", "batch_release_internal"])
  star(
    `fact_${release}`,
    ["inspection_lot"],
    sql`
    SELECT f.* EXCEPT (${columns(LOT_REFERENCES)}, ${audit}), ${references(LOT_REFERENCES)}
    FROM ${sql.id("silver", release)} AS f`,
  );

for (const demand of ["demand_actual", "demand_forecast"])
  star(
    `fact_${demand}`,
    ["period_id", "material", "market"],
    sql`
    SELECT f.* EXCEPT (uom, is_known_material, is_known_market, ${audit}), ${references(["uom"])}
    FROM ${sql.id("silver", demand)} AS f`,
  );
