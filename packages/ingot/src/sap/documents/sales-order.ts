import { documentFlow } from "./document-flow.js";
import type { DocumentQuery } from "./document-query.js";
import { itemOrHeader } from "./item-or-header.js";
import {
  aliasOf,
  columnsOf,
  DocumentFault,
  equalIn,
  freshness,
  type Joined,
  joinPart,
  type Part,
  requireColumns,
  timesOf,
} from "./part.js";

/** The tables of a sales order. */
export interface SalesOrderParts {
  readonly header: Part;
  readonly items: Part;
  readonly partners?: Part;
  readonly flow?: Part;
  readonly business?: Part;
  /** VBUK and VBUP of ECC; S/4HANA has their columns in header and items. */
  readonly status?: Part;
  readonly itemStatus?: Part;
}

/** Statuses that S/4HANA keeps in VBAK and VBAP. */
const HEADER_STATUS = ["gbstk", "abstk", "lfstk", "lfgsk", "fksak", "uvall"];
const ITEM_STATUS = ["gbsta", "lfsta", "lfgsa", "fksaa", "absta"];

/** Codes of partner functions as PARVW stores them, by the ones that English screens show. */
const PARTNER_FUNCTIONS: Readonly<Record<string, string>> = { SP: "AG", SH: "WE", BP: "RE", PY: "RG" };

/** The code under which PARVW stores a partner function. */
export function partnerFunction(code: string): string {
  return PARTNER_FUNCTIONS[code.toUpperCase()] ?? code.toUpperCase();
}

/**
 * A sales order, one row an item. An item waits for its header; whatever else is missing is NULL.
 *
 * @param roles partner functions; with several each has columns of its own
 * @throws DocumentFault
 */
export function salesOrder(parts: SalesOrderParts, roles: readonly string[]): DocumentQuery {
  const { header, items, partners, flow, business } = parts;
  requireColumns(header, ["mandt", "vbeln"]);
  requireColumns(items, ["mandt", "vbeln", "posnr"]);
  const [vbak, vbap] = [aliasOf(header), aliasOf(items)];
  const functions = partners === undefined ? [] : [...new Set(roles.map(partnerFunction))];
  const joined = [
    ...functions.map((role) =>
      itemOrHeader(partners as Part, items, {
        suffix: functions.length === 1 ? "vbpa" : `vbpa_${role.toLowerCase()}`,
        only: (alias) => `${alias}.parvw = '${role}'`,
        missing: "PARTNER_MISSING",
      }),
    ),
    ...(business === undefined
      ? []
      : [itemOrHeader(business, items, { suffix: "vbkd", missing: "BUSINESS_DATA_MISSING" })]),
    ...(flow === undefined ? [] : [documentFlow(flow, items)]),
    ...statusOf(parts),
  ];
  return {
    columns: [
      ...columnsOf(header),
      ...columnsOf(items),
      ...joined.flatMap(({ columns }) => columns),
      ...freshness([...timesOf(header, items), ...joined.flatMap(({ times }) => times)]),
    ],
    from: [
      `FROM ${header.relation} AS ${vbak}`,
      `JOIN ${items.relation} AS ${vbap}\n  ON ${equalIn(vbap, vbak, ["mandt", "vbeln"])}`,
      ...joined.flatMap(({ joins }) => joins),
    ],
    keys: ["mandt_vbak", "vbeln_vbak", "posnr_vbap"],
  };
}

/** The statuses under the names of S/4HANA, and which table they are from. @throws DocumentFault */
function statusOf({ header, items, status, itemStatus }: SalesOrderParts): Joined[] {
  const { release } = header.system.conventions;
  if (release === "s4") {
    if (status !== undefined || itemStatus !== undefined)
      throw new DocumentFault("reads the statuses of S/4HANA in VBAK and VBAP: leave `status` and `itemStatus` out");
    return [{ joins: [], columns: [{ name: "status_source", sql: "'VBAK'" }], times: [] }];
  }
  return [
    ...(status === undefined ? [] : [statusRow(status, header, ["mandt", "vbeln"], HEADER_STATUS, "status_source")]),
    ...(itemStatus === undefined ? [] : [statusRow(itemStatus, items, ["mandt", "vbeln", "posnr"], ITEM_STATUS)]),
  ];
}

function statusRow(part: Part, of: Part, keys: readonly string[], names: readonly string[], source?: string): Joined {
  requireColumns(part, keys);
  const alias = aliasOf(part);
  const found = `CASE WHEN ${alias}.vbeln IS NOT NULL THEN '${part.table.name}' END`;
  const present = names.filter((name) => part.columns.includes(name) && !of.columns.includes(name));
  return {
    joins: [joinPart(part, of, keys)],
    columns: [
      ...columnsOf(part),
      ...present.map((name) => ({ name: `${name}_${aliasOf(of)}`, sql: `${alias}.${name}` })),
      ...(source === undefined ? [] : [{ name: source, sql: found }]),
    ],
    times: timesOf(part),
  };
}
