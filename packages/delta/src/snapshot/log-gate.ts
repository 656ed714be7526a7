import { DeltaError } from "../error.js";
import type { Protocol } from "../log/actions.js";
import { FEATURES } from "../protocol/features.js";
import { assertKnownReaderFeatures } from "../protocol/protocol.js";

/**
 * Passes when checkpoints and the clean-up of a log break nothing that the table promises: every feature is known. One
 * that is not may forbid either, as `checkpointProtection` does.
 *
 * @throws DeltaError DELTA_UNSUPPORTED_FEATURES_FOR_READ, DELTA_UNSUPPORTED_FEATURES_FOR_WRITE, DELTA_TABLE_UNREADABLE
 */
export function assertMaintainable(protocol: Protocol, at: { readonly table: string; readonly version: bigint }): void {
  assertKnownReaderFeatures(protocol, at);
  const unknown = (protocol.writerFeatures ?? []).filter((name) => !FEATURES.some((feature) => feature.name === name));
  if (protocol.minWriterVersion > 7) unknown.push(`writer version ${protocol.minWriterVersion}`);
  if (unknown.length > 0)
    throw new DeltaError(
      "DELTA_UNSUPPORTED_FEATURES_FOR_WRITE",
      `The log of ${at.table} cannot be maintained: it needs ${unknown.join(", ")}.`,
      { ...at, hint: "Let an engine that supports it write checkpoints and clean the log." },
    );
}
