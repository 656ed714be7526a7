import { CSV_DEFAULTS } from "../../../graph/test-builders.js";
import type { AnyFileRead } from "../../../model/file-read.js";

/** For tests: what a read of any format says where nothing is declared. */
export const FILE_DEFAULTS: Omit<AnyFileRead, "path"> = {
  recursiveFileLookup: CSV_DEFAULTS.recursiveFileLookup,
  includeExistingFiles: CSV_DEFAULTS.includeExistingFiles,
  allowOverwrites: CSV_DEFAULTS.allowOverwrites,
  ignoreMissingFiles: CSV_DEFAULTS.ignoreMissingFiles,
  ignoreCorruptFiles: CSV_DEFAULTS.ignoreCorruptFiles,
  onMissing: CSV_DEFAULTS.onMissing,
  onEmpty: CSV_DEFAULTS.onEmpty,
  schemaHints: CSV_DEFAULTS.schemaHints,
  inferColumnTypes: CSV_DEFAULTS.inferColumnTypes,
  schemaEvolutionMode: CSV_DEFAULTS.schemaEvolutionMode,
  cleanColumnNames: CSV_DEFAULTS.cleanColumnNames,
  mode: CSV_DEFAULTS.mode,
};
