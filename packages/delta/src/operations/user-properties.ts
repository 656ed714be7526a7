import { FEATURES } from "../protocol/features.js";
import { supports } from "../protocol/protocol.js";
import { isInternalProperty, propertyName } from "../schema/table-properties.js";
import type { Snapshot } from "../snapshot/snapshot.js";

/**
 * The properties of a table as a user may set them: without those that only commits set, and with `delta.feature.NAME`
 * = `supported` for each feature of the protocol, named as `validateProperties` names it.
 */
export function userProperties({
  metadata,
  protocol,
}: Pick<Snapshot, "metadata" | "protocol">): Record<string, string> {
  const features = FEATURES.filter(({ name }) => supports(protocol, name)).map(
    ({ name }) => [propertyName(`delta.feature.${name}`), "supported"] as const,
  );
  const own = Object.entries(metadata.configuration).filter(
    (entry): entry is [string, string] => entry[1] !== null && !isInternalProperty(entry[0]),
  );
  return Object.fromEntries([...features, ...own]);
}
