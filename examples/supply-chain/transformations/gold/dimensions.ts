import { type Sql, sql } from "ingot";
import { BATCHES } from "../../lib/batch-level";
import { areThere } from "../../lib/settings";
import { AUDIT, columns, star, UNKNOWN_DAY } from "../../lib/star";

/** The extracts without which a silver table is left out. Dimensions then do without its keys. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  purchase_order: ["EKKO", "EKPO", "EKET", "EKBE"],
  inventory: ["MCHB", "MARD", "MSLB", "MARC", "MBEW", BATCHES],
  inventory_month_end_stock: ["MCHB", "MARD", "MSLB", "MARC", "MBEW", "MCHBH", "MARDH", "MSLBH", "MARCH", "MBEWH"],
  batch_release_external: ["QALS", "QAVE", BATCHES, "MARC", "T001L"],
  batch_release_internal: ["QALS", "QAVE", BATCHES, "MARC", "T001L"],
  demand_actual: ["DEMAND_ACTUAL", "MASTER_CUSTOMER"],
  demand_forecast: ["DEMAND_FORECAST", "MASTER_CUSTOMER"],
  customer_product: ["MASTER_CUSTOMER_PRODUCT", "MASTER_CUSTOMER"],
  location_product: ["MASTER_LOCATION_PRODUCT"],
  batch: [BATCHES],
  storage: ["T001L"],
  supplier_purchasing: ["LFM1"],
  supplier_company: ["LFB1"],
};
const computed = new Set<string>();
for (const [silver, extracts] of Object.entries(NEEDED)) if (await areThere(extracts)) computed.add(silver);

/** A silver table that refers to the dimension, by its columns in the order of the dimension's key. */
type Reference = readonly [silver: string, ...columns: string[]];

interface DimensionOptions {
  /** Silver's audit columns; it has none of what it makes itself. */
  readonly audit?: readonly string[];
  /** Value of each key of the unknown member, and of a reference that is NULL. */
  readonly unknown?: Sql;
}

/**
 * A dimension: all rows of its silver table, one for "unknown" (a key of blanks), and one for each key that only other tables
 * know, so that a join with them loses no row.
 */
function dimension(
  name: string,
  keys: readonly string[],
  references: readonly Reference[],
  { audit = AUDIT, unknown = sql`''` }: DimensionOptions = {},
): void {
  const silver = sql.id("silver", name);
  const leave = columns(["client", ...keys, ...audit]);
  const known = references
    .filter(([table]) => computed.has(table))
    .map(([table, ...names]) => {
      const values = names.map((column, i) => sql`coalesce(${sql.id(column)}, ${unknown}) AS ${sql.id(keys[i] ?? "")}`);
      return sql`UNION SELECT client, ${sql.join(values)} FROM ${sql.id("silver", table)}`;
    });
  const blanks = sql.join(keys.map((key) => sql`${unknown} AS ${sql.id(key)}`));
  const isSame = sql.join(
    keys.map((key) => sql`${sql.id("k", key)} = ${sql.id("s", key)}`),
    sql` AND `,
  );
  star(
    `dim_${name}`,
    keys,
    sql`
    SELECT s.client, ${columns(keys, "s")}, s.* EXCEPT (${leave}), false AS is_inferred
    FROM ${silver} AS s
    UNION ALL
    SELECT k.client, ${columns(keys, "k")}, nothing.* EXCEPT (${leave}), true
    FROM (SELECT DISTINCT client, ${blanks} FROM extract.t001 ${sql.join(known, sql` `)}) AS k
    LEFT ANTI JOIN ${silver} AS s ON s.client = k.client AND ${isSame}
    LEFT JOIN ${silver} AS nothing ON false`,
  );
}

const STOCKS = ["inventory", "inventory_month_end_stock"] as const;
const RELEASES = ["batch_release_external", "batch_release_internal"] as const;
const DEMANDS = ["demand_actual", "demand_forecast"] as const;
const by = (tables: readonly string[], ...names: string[]): Reference[] => tables.map((table) => [table, ...names]);

// Open-ended days, 31 December 9999, are in facts alone.
dimension(
  "date",
  ["calendar_date"],
  [
    ["purchase_order", "order_date"],
    ["purchase_order", "next_schedule_line_date"],
  ],
  { audit: [], unknown: UNKNOWN_DAY },
);
dimension(
  "product",
  ["material"],
  by(["purchase_order", ...STOCKS, ...RELEASES, ...DEMANDS, "location_product", "customer_product"], "material"),
);
dimension("customer", ["market"], by([...DEMANDS, "customer_product"], "market"));
dimension("customer_product", ["market", "material"], by(DEMANDS, "market", "material"));
dimension(
  "location",
  ["plant"],
  [
    ...by(["purchase_order", ...STOCKS, ...RELEASES, "storage", "location_product"], "plant"),
    ["purchase_order", "supplying_plant"],
  ],
);
dimension("location_product", ["plant", "material"], by(STOCKS, "plant", "material"));
dimension("batch", ["material", "plant", "batch"], by([...STOCKS, ...RELEASES], "material", "batch_plant", "batch"));
dimension(
  "supplier",
  ["supplier_number"],
  [
    ["purchase_order", "supplier_id"],
    ["inventory", "supplier"],
    ...by(STOCKS, "owner"),
    ...by([...RELEASES, "batch", "supplier_purchasing", "supplier_company"], "supplier_number"),
  ],
);
dimension(
  "supplier_purchasing",
  ["supplier_number", "purchasing_org"],
  [["purchase_order", "supplier_id", "purchasing_organization"]],
);
dimension("supplier_company", ["supplier_number", "company_code"], [["purchase_order", "supplier_id", "company_code"]]);
dimension(
  "storage",
  ["plant", "storage_location"],
  by(["purchase_order", ...STOCKS, ...RELEASES], "plant", "storage_location"),
);
// Silver has all that any extract uses.
dimension("uom", ["uom"], [], { audit: [] });
dimension("currency", ["currency"], [], { audit: [] });
