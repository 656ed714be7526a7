/** Who says it: a URI, as OpenLineage asks. */
export const PRODUCER = "urn:ingot";

const SPEC = "https://openlineage.io/spec";

/** The schema of run events. */
export const RUN_EVENT_SCHEMA = `${SPEC}/2-0-2/OpenLineage.json#/$defs/RunEvent`;

/** A facet with the version and name of its schema. */
export function facet(version: string, name: string, content: object): object {
  return { _producer: PRODUCER, _schemaURL: `${SPEC}/facets/${version}/${name}.json#/$defs/${name}`, ...content };
}
