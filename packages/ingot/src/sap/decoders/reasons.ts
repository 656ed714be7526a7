/** Why a value cannot be read: the condition that a strict decoder raises, and what quarantine keeps. */
export const REASONS = [
  "CURRENCY_ANOMALY",
  "INVALID_DATE",
  "INVALID_FLAG",
  "INVALID_LANGUAGE",
  "INVALID_POSTING_DATE",
  "INVALID_PRIMARY_KEY",
  "INVALID_RAW",
  "INVALID_TIME",
  "INVALID_TIMESTAMP",
  "INVALID_UNIT",
  "MALFORMED_AMOUNT",
  "MALFORMED_NUMC",
  "UNIT_ANOMALY",
] as const;

export type Reason = (typeof REASONS)[number];
