import { allFields, clientField, type Extract, type Field, readFields } from "./extract";

/** A type of a field as Spark SQL. */
interface Decoder {
  /** Of the field's text; NULL for what cannot be read. */
  readonly read: (text: string) => string;
  /** What becomes of a value that was read. */
  readonly keep?: (value: string) => string;
  /** Why a text that gave NULL could not be read, NULL where there was nothing to read; it is its row's status in the quarantine. */
  readonly reason?: { readonly of: (text: string) => string; readonly status: string };
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
  const statuses = new Set(fields.flatMap(({ reason }) => (reason === undefined ? [] : [reason.status])));
  const key = ["client", ...isKey];
  const isKeyed = keys
    .filter(({ isOptional }) => !isOptional)
    .map(({ name }) => `${name} IS NOT NULL`)
    .join(" AND ");
  const own = clientField(extract);
  const texts = fields.map(({ name }) => `${name} AS _text_${name}`);
  const values = [
    own === undefined
      ? `'${client}' AS client`
      : `coalesce(lpad(nullif(trim(${own}), ''), 3, '0'), '${client}') AS client`,
    ...fields.map(({ name, read }) => `${read(name)} AS ${name}`),
  ];
  // A text that gave a value is asked for no reason.
  const reasons = fields.flatMap(({ name, reason }) =>
    reason === undefined ? [] : [`CASE WHEN ${name} IS NULL THEN ${reason.of(`_text_${name}`)} END`],
  );
  const kept = [
    ...fields.map(({ name, keep }) => (keep === undefined ? name : `${keep(name)} AS ${name}`)),
    `concat_ws(', ', ${["''", ...reasons].join(", ")}) AS _malformed`,
    // As the file has them: blank and missing are one.
    `concat_ws('|', ${fields.map(({ name }) => `coalesce(_text_${name}, '')`).join(", ")}) AS _payload`,
  ];
  return {
    keys: key,
    select: `WITH decoded AS (
  SELECT ${[...values, ...texts].join(",\n    ")},
    dw_load_ts AS _load_ts, _file_row, _file_name
  FROM ${relation}),
kept AS (
  SELECT client, ${kept.join(",\n    ")},
    ${ORIGIN.join(", ")}
  FROM decoded)
SELECT ${["client", ...fields.map(({ name }) => name), "_malformed", ...ORIGIN].join(", ")},
  min(_payload) OVER same_key <> max(_payload) OVER same_key AS _is_contested
FROM kept
-- An extract is one file.
QUALIFY NOT (${isKeyed}) OR _file_row = max(_file_row) OVER same_key
WINDOW same_key AS (PARTITION BY ${key.join(", ")})`,
    rules: [
      ...[...statuses].map((status) => ({
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
      return { read: (text) => (isKey && isOptional ? `coalesce(rtrim(${text}), '')` : `nullif(rtrim(${text}), '')`) };
    case "alpha":
      return decodedBy("sap_alpha", [first], "INVALID_PRIMARY_KEY", blankIsNull);
    case "matnr":
      return decodedBy("sap_matn1", [], "INVALID_PRIMARY_KEY", blankIsNull);
    case "numc":
      return decodedBy("sap_numc", [first], "MALFORMED_NUMC", blankIsNull);
    case "date":
    case "day":
      return decodedBy("sap_date", [], "INVALID_DATE");
    case "period":
      return {
        read: (text) => `CASE WHEN ${text} RLIKE '${PERIOD}' THEN CAST(${text} AS INT) END`,
        reason: { of: (text) => `CASE WHEN ${text} IS NOT NULL THEN 'INVALID_PERIOD' END`, status: "INVALID_PERIOD" },
      };
    case "flag":
      return decodedBy("sap_flag", [], "INVALID_FLAG", (value) => `coalesce(${value}, false)`);
    case "quantity":
      return decodedBy("sap_number", ["13", "3"], "MALFORMED_AMOUNT", blankIsZero);
    case "amount":
      return decodedBy("sap_number", ["15", "2"], "MALFORMED_AMOUNT", blankIsZero);
    case "decimal":
      return decodedBy("sap_number", [first, second], "MALFORMED_AMOUNT");
    case "integer":
      return decodedBy("sap_number", ["9", "0"], "MALFORMED_AMOUNT", (value) => `CAST(${value} AS INT)`);
    default:
      throw new Error(`${name}: ${type} is no type of an extract's field`);
  }
}

const blankIsNull = (value: string) => `nullif(${value}, '')`;
const blankIsZero = (value: string) => `coalesce(${value}, 0)`;

/** A decoder of the library in its lenient form, and its reason, which always is this one. */
function decodedBy(name: string, constants: readonly string[], status: string, keep?: Decoder["keep"]): Decoder {
  const call = (form: string) => (text: string) => `${form}(${[text, ...constants].join(", ")})`;
  return {
    read: call(`try_${name}`),
    reason: { of: call(`${name}_reason`), status },
    ...(keep === undefined ? {} : { keep }),
  };
}
