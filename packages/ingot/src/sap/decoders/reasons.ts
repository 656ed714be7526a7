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
  "MALFORMED_AMOUNT",
  "MALFORMED_NUMC",
] as const;

export type Reason = (typeof REASONS)[number];
