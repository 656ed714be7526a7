import { allFields, clientField, type Extract, type Field, readFields } from "./extract";

/** A type of a field as Spark SQL: the value, and why it could not be read, which is its row's status in the quarantine. */
interface Decoder {
  readonly value: string;
  readonly reason?: { readonly sql: string; readonly status: string };
}

/** One extract, as a query of its rows and the rules that set some of them aside. */
interface Decoded {
  readonly select: string;
  readonly keys: readonly string[];
  readonly rules: readonly { readonly name: string; readonly condition: string; readonly status: string }[];
}

/** Where a row comes from. */
const ORIGIN = ["_load_ts", "_file_row", "_file_name"] as const;
const PERIOD = "^[0-9]{4}(0[1-9]|1[0-2])$";

/** All columns of the extract, as a relation without rows: what stands in for a file that is not there. */
export function noRows(extract: Extract): string {
  const client = clientField(extract);
  const names = [...(client === undefined ? [] : [client]), ...allFields(extract).map(({ name }) => name)];
  const columns = names.map((name) => `CAST(NULL AS STRING) AS ${name}`);
  const origin = "CAST(NULL AS TIMESTAMP) AS dw_load_ts, CAST(NULL AS BIGINT) AS _file_row, '' AS _file_name";
  return `(SELECT ${columns.join(", ")}, ${origin} WHERE false)`;
}

/**
 * The newest row of each key, decoded. Rows without a key are kept, so that a rule can set them aside; so are rows with a
 * value that its decoder cannot read. `_is_contested` says that rows of the key differed.
 *
 * @param relation the extract's rows as texts
 * @param client of a row that has none
 */
export function decode(extract: Extract, relation: string, client: string): Decoded {
  const keys = readFields(extract.key);
  const isKey = new Set(keys.map(({ name }) => name));
  const fields = allFields(extract).map((field) => ({ ...field, ...decoder(field, isKey.has(field.name)) }));
  const reasons = fields.flatMap(({ reason }) => (reason === undefined ? [] : [reason]));
  const key = ["client", ...isKey];
  const isKeyed = keys
    .filter(({ isOptional }) => !isOptional)
    .map(({ name }) => `${name} IS NOT NULL`)
    .join(" AND ");
  const own = clientField(extract);
  const decoded = [
    `${own === undefined ? `'${client}'` : `coalesce(lpad(nullif(trim(${own}), ''), 3, '0'), '${client}')`} AS client`,
    ...fields.map(({ name, value }) => `${value} AS ${name}`),
    `concat_ws(', ', ${["''", ...reasons.map(({ sql }) => sql)].join(", ")}) AS _malformed`,
    // As the file has them: blank and missing are one.
    `concat_ws('|', ${fields.map(({ name }) => `coalesce(${name}, '')`).join(", ")}) AS _payload`,
    "dw_load_ts AS _load_ts, _file_row, _file_name",
  ];
  return {
    keys: key,
    select: `WITH decoded AS (
  SELECT ${decoded.join(",\n    ")}
  FROM ${relation})
SELECT ${["client", ...fields.map(({ name }) => name), "_malformed", ...ORIGIN].join(", ")},
  min(_payload) OVER same_key <> max(_payload) OVER same_key AS _is_contested
FROM decoded
QUALIFY NOT (${isKeyed}) OR row_number() OVER (PARTITION BY ${key.join(", ")} ORDER BY _load_ts DESC, _file_row DESC) = 1
WINDOW same_key AS (PARTITION BY ${key.join(", ")})`,
    rules: [
      ...[...new Set(reasons.map(({ status }) => status))].map((status) => ({
        name: status.toLowerCase(),
        condition: `NOT contains(_malformed, '${status}')`,
        status,
      })),
      { name: "keyed", condition: isKeyed, status: "INVALID_PRIMARY_KEY" },
    ],
  };
}

function decoder({ name, type, isOptional }: Field, isKey: boolean): Decoder {
  const [, kind = "", first = "", second = ""] = /^([a-z]+)(\d*)\.?(\d*)$/.exec(type) ?? [];
  switch (kind) {
    case "text":
    case "unit":
    case "currency":
      return { value: isKey && isOptional ? `coalesce(rtrim(${name}), '')` : `nullif(rtrim(${name}), '')` };
    case "alpha":
      return tried(`sap_alpha(${name}, ${first})`, "INVALID_PRIMARY_KEY", (value) => `nullif(${value}, '')`);
    case "matnr":
      return tried(`sap_matn1(${name})`, "INVALID_PRIMARY_KEY", (value) => `nullif(${value}, '')`);
    case "numc":
      return tried(`sap_numc(${name}, ${first})`, "MALFORMED_NUMC", (value) => `nullif(${value}, '')`);
    case "date":
    case "day":
      return tried(`sap_date(${name})`, "INVALID_DATE");
    case "period":
      return {
        value: `CASE WHEN ${name} RLIKE '${PERIOD}' THEN CAST(${name} AS INT) END`,
        reason: { sql: `CASE WHEN NOT ${name} RLIKE '${PERIOD}' THEN 'INVALID_PERIOD' END`, status: "INVALID_PERIOD" },
      };
    case "flag":
      return tried(`sap_flag(${name})`, "INVALID_FLAG", (value) => `coalesce(${value}, false)`);
    case "quantity":
      return tried(`sap_number(${name}, 13, 3)`, "MALFORMED_AMOUNT", (value) => `coalesce(${value}, 0)`);
    case "amount":
      return tried(`sap_number(${name}, 15, 2)`, "MALFORMED_AMOUNT", (value) => `coalesce(${value}, 0)`);
    case "decimal":
      return tried(`sap_number(${name}, ${first}, ${second})`, "MALFORMED_AMOUNT");
    case "integer":
      return tried(`sap_number(${name}, 9, 0)`, "MALFORMED_AMOUNT", (value) => `CAST(${value} AS INT)`);
    default:
      throw new Error(`${name}: ${type} is no type of an extract's field`);
  }
}

/** A decoder of the library in its lenient form, and its reason, which always is this one. */
function tried(call: string, status: string, within = (value: string) => value): Decoder {
  return { value: within(`try_${call}`), reason: { sql: call.replace("(", "_reason("), status } };
}
