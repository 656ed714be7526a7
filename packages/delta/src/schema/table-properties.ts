import { parseInterval } from "../log/interval.js";
import { type Definition, refusal } from "./definition.js";
import { parseColumnList } from "./stats-property.js";

/** What a property may hold, and how an error says it. */
interface Rule {
  /** The value as Delta spells it; undefined for one that it does not take. */
  readonly accept: (value: string) => string | undefined;
  readonly expected: string;
}

const BOOLEAN = oneOf("true", "false");
const INTERVAL = where(
  (value) => parseInterval(value) !== undefined,
  "an interval such as '2 weeks'; months and years are not accepted",
);

/** The properties of Delta that users may set, as Spark and the protocol know them, and `delta.targetFileSize`. */
const PROPERTIES: Readonly<Record<string, Rule>> = {
  "delta.appendOnly": BOOLEAN,
  "delta.autoOptimize": BOOLEAN,
  "delta.autoOptimize.autoCompact": oneOf("true", "false", "auto"),
  "delta.autoOptimize.optimizeWrite": BOOLEAN,
  "delta.checkpoint.writeStatsAsJson": BOOLEAN,
  "delta.checkpoint.writeStatsAsStruct": BOOLEAN,
  "delta.checkpointInterval": integer(1),
  "delta.checkpointPolicy": oneOf("classic", "v2"),
  "delta.checkpointRetentionDuration": INTERVAL,
  "delta.columnMapping.mode": oneOf("none", "name", "id"),
  "delta.compatibility.symlinkFormatManifest.enabled": BOOLEAN,
  "delta.dataSkippingNumIndexedCols": integer(-1),
  "delta.dataSkippingStatsColumns": where(
    (value) => parseColumnList(value) !== undefined,
    "column names with commas between, odd names in backticks",
  ),
  "delta.dataSkippingStringPrefixLength": integer(0),
  "delta.deletedFileRetentionDuration": INTERVAL,
  "delta.dropFeatureTruncateHistory.retentionDuration": INTERVAL,
  "delta.enableChangeDataFeed": BOOLEAN,
  "delta.enableDeletionVectors": BOOLEAN,
  "delta.enableExpiredLogCleanup": BOOLEAN,
  "delta.enableFullRetentionRollback": BOOLEAN,
  "delta.enableIcebergCompatV1": BOOLEAN,
  "delta.enableIcebergCompatV2": BOOLEAN,
  "delta.enableIcebergCompatV3": BOOLEAN,
  "delta.enableInCommitTimestamps": BOOLEAN,
  "delta.enableRowTracking": BOOLEAN,
  "delta.enableTypeWidening": BOOLEAN,
  "delta.enableVariantShredding": BOOLEAN,
  "delta.isolationLevel": oneOf("Serializable", "WriteSerializable"),
  "delta.logRetentionDuration": INTERVAL,
  "delta.minReaderVersion": integer(1),
  "delta.minWriterVersion": integer(1),
  "delta.parquet.compression.codec": oneOf("uncompressed", "none", "snappy", "gzip", "lz4", "lz4_raw", "zstd"),
  "delta.parquet.format.version": where((value) => /^(1\.0\.0|2\.\d+\.\d+)$/.test(value), "1.0.0 or 2.MINOR.PATCH"),
  "delta.randomPrefixLength": integer(1),
  "delta.randomizeFilePrefixes": BOOLEAN,
  "delta.rowTrackingSuspended": BOOLEAN,
  "delta.sampleRetentionDuration": INTERVAL,
  "delta.setTransactionRetentionDuration": INTERVAL,
  "delta.targetFileSize": where(
    (value) => /^\s*[1-9]\d*\s*([bkmg]b?)?\s*$/i.test(value),
    "a size such as 134217728 or 128mb",
  ),
  "delta.universalFormat.enabledFormats": where(() => true, "formats with commas between"),
};

const CANONICAL = new Map(Object.keys(PROPERTIES).map((key) => [key.toLowerCase(), key]));
const INTERNAL =
  /^delta\.(columnmapping\.maxcolumnid|incommittimestampenablement(version|timestamp)|rowtracking\.materialized\w+|requirecheckpointprotectionbeforeversion)$/;

/**
 * Properties that a user sets, under the names that Delta has for them (case does not count) and with values that it
 * takes. Properties without the prefix `delta.` are the user's own. Source: Spark's `DeltaConfig.scala`; the Delta
 * protocol, "Table Properties".
 *
 * @throws DeltaError DELTA_UNKNOWN_CONFIGURATION, DELTA_VIOLATE_TABLE_PROPERTY_VALIDATION_FAILED,
 * DELTA_CANNOT_MODIFY_TABLE_PROPERTY
 */
export function validateProperties(
  table: Pick<Definition, "table" | "version">,
  properties: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(properties).map(([key, value]) => {
      const name = propertyName(key);
      const lower = name.toLowerCase();
      // The older word for it.
      if (lower.startsWith("delta.feature.") && /^(supported|enabled)$/i.test(value)) return [name, "supported"];
      if (!lower.startsWith("delta.") || /^delta\.(constraints|feature|universalformat\.config)\./.test(lower))
        return [name, value];
      if (isInternalProperty(name))
        throw refusal(
          table,
          "DELTA_CANNOT_MODIFY_TABLE_PROPERTY",
          `The property ${name} of ${table.table} cannot be set: commits keep it.`,
          "Leave it out.",
        );
      const rule = PROPERTIES[name];
      if (rule === undefined)
        throw refusal(
          table,
          "DELTA_UNKNOWN_CONFIGURATION",
          `Delta has no table property ${name}.`,
          `Known are ${Object.keys(PROPERTIES).join(", ")}; properties of your own go without the prefix delta.`,
        );
      const accepted = rule.accept(value);
      if (accepted === undefined)
        throw refusal(
          table,
          "DELTA_VIOLATE_TABLE_PROPERTY_VALIDATION_FAILED",
          `The property ${name} of ${table.table} cannot be "${value}".`,
          `It needs to be ${rule.expected}.`,
        );
      return [name, accepted];
    }),
  );
}

/** Whether commits write the property, so that users neither set nor unset it. */
export function isInternalProperty(name: string): boolean {
  return INTERNAL.test(name.toLowerCase());
}

/** A property's name as Delta spells it; others stay as they are. */
export function propertyName(key: string): string {
  const lower = key.toLowerCase();
  return CANONICAL.get(lower) ?? (lower.startsWith("delta.feature.") ? lower : key);
}

function where(isValid: (value: string) => boolean, expected: string): Rule {
  return { accept: (value) => (isValid(value) ? value : undefined), expected };
}

function oneOf(...values: readonly string[]): Rule {
  const accept = (value: string) => values.find((known) => known.toLowerCase() === value.toLowerCase());
  return { accept, expected: values.join(" or ") };
}

function integer(least: number): Rule {
  return where((value) => /^[+-]?\d{1,9}$/.test(value) && Number(value) >= least, `an integer, ${least} or more`);
}
