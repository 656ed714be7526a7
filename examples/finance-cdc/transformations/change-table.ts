import {
  config,
  createAutoCdcFlow,
  createStreamingTable,
  type Expectation,
  readFiles,
  type Sql,
  sql,
  table,
  temporaryView,
} from "ingot";

interface ChangeTable {
  /** The key of the table in SAP, client included. */
  readonly keys: readonly [string, ...string[]];
  readonly rules: readonly Expectation[];
  /** What silver takes, each column read by its type. */
  readonly columns: Sql;
}

const csv = { format: "csv", header: true, cleanColumnNames: true } as const;
/** Texts of the changes may hold line ends. */
const changedCsv = { ...csv, options: { multiLine: "true" } } as const;

/**
 * A table of accounting, by hand: bronze keeps all change rows as they came, new columns among them; rules set aside what
 * cannot be read; silver has the newest state of each key. `sapTable` stands for about the same, see purchasing.ts.
 */
export function changeTable(name: string, { keys, rules, columns }: ChangeTable) {
  const sapName = name.toUpperCase();
  const bronze = table(`bronze_sap.${name}`, {
    comment: `ODQ changes of ${sapName} as they arrived; new columns are taken`,
    tableProperties: { "delta.enableChangeDataFeed": true, "delta.enableDeletionVectors": true },
    backfill: { source: readFiles(`${config("history")}/${sapName}.csv`, csv), chunkBy: "gjahr" },
    query: sql`
      SELECT *, _metadata.file_path AS source_file, _metadata.row_number AS source_row
      FROM STREAM ${readFiles(`${config("landing")}/${sapName}`, { ...changedCsv, schemaEvolutionMode: "addNewColumns", onMissing: "skip" })}`,
  });

  const checked = temporaryView(`${name}_checked`, {
    expectations: rules,
    quarantine: `quarantine_sap.${name}_quarantine`,
    gate: { maxFailedShare: Number(config("max_failed_share")) },
    drift: { added: "notify", retyped: "stop" },
    query: sql`SELECT * FROM STREAM ${bronze}`,
  });

  // ODQ_ENTITYCNTR only tells before images; transaction, unit and record are the order.
  const changes = temporaryView(
    `${name}_changes`,
    sql`
      SELECT ${columns},
        odq_changemode,
        CASE WHEN odq_changemode = 'U' AND CAST(odq_entitycntr AS INT) < 0 THEN 'update_preimage' ELSE 'change' END AS _change_type,
        CAST(odq_tsn AS DECIMAL(23, 0)) AS txn,
        CAST(odq_unitno AS INT) AS unit,
        CAST(odq_recordno AS INT) AS record
      FROM STREAM ${checked}`,
  );

  return createAutoCdcFlow({
    target: createStreamingTable(`silver_sap.${name}`, {
      comment: `${sapName} in its newest state`,
      clusterBy: ["mandt", "bukrs", "gjahr", "belnr"],
      tableProperties: { "delta.enableChangeDataFeed": true, "delta.enableDeletionVectors": true },
    }),
    source: changes,
    keys,
    sequenceBy: ["txn", "unit", "record"],
    applyAsDeletes: "odq_changemode = 'D'",
    exceptColumnList: ["odq_changemode", "_change_type", "txn", "unit", "record"],
    maxDeleteShare: 0.2,
  }).target;
}
