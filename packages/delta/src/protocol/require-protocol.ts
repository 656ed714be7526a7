import { type At, DeltaError } from "../error.js";
import type { Protocol, TextMap } from "../log/actions.js";
import { isOn } from "../log/configuration.js";
import { FEATURES, REFUSED_PROPERTIES, type TableUse } from "./features.js";
import { READER_VERSION, refuse, supports, WRITER_VERSION, withFeatures, withLists } from "./protocol.js";

const FEATURE_PROPERTY = "delta.feature.";
const VERSION_PROPERTIES = ["delta.minReaderVersion", "delta.minWriterVersion"];

/**
 * The protocol that a table needs for its schema and properties: the least one, and never less than what it has.
 * `current` is undefined for a new table. Properties may ask for more, as in Spark: `delta.feature.NAME` = `supported`,
 * `delta.minReaderVersion`, `delta.minWriterVersion`.
 *
 * @param features wanted besides
 * @throws DeltaError DELTA_UNSUPPORTED_FEATURES_FOR_WRITE for a property of a feature that this library does not have,
 * DELTA_UNSUPPORTED_FEATURES_IN_CONFIG, DELTA_UNSUPPORTED_FEATURE_STATUS, DELTA_INVALID_PROTOCOL_VERSION for properties
 * that ask for something that is not there
 */
export function requireProtocol(
  table: TableUse,
  current: Protocol | undefined,
  at: At,
  features: readonly string[] = [],
): Protocol {
  const { configuration } = table;
  const refused = Object.keys(configuration).filter((key) => REFUSED_PROPERTIES.test(key));
  if (refused.length > 0)
    throw refuse(
      "WRITE",
      refused.map((key) => `the property ${key}`),
      at,
    );
  const asked = withVersions(current ?? { minReaderVersion: 1, minWriterVersion: 2 }, configuration, at);
  const needed = FEATURES.filter(
    ({ name, neededBy, property }) =>
      (neededBy?.(table) || (property !== undefined && isOn(configuration, property))) &&
      !(name === "typeWidening" && supports(asked, "typeWidening-preview")),
  ).map(({ name }) => name);
  return withFeatures(asked, [...needed, ...askedFeatures(configuration, at), ...features], at);
}

/** The properties without those that ask for a protocol: they raise it and are not stored. */
export function withoutProtocolProperties(configuration: TextMap): TextMap {
  const isKept = ([key]: [string, unknown]): boolean =>
    !key.startsWith(FEATURE_PROPERTY) && !VERSION_PROPERTIES.includes(key);
  return Object.fromEntries(Object.entries(configuration).filter(isKept));
}

function askedFeatures(configuration: TextMap, at: At): string[] {
  return Object.entries(configuration).flatMap(([key, value]) => {
    if (!key.startsWith(FEATURE_PROPERTY)) return [];
    const name = key.slice(FEATURE_PROPERTY.length);
    // Catalogs turn properties into lower case.
    const known = FEATURES.find((feature) => feature.name.toLowerCase() === name.toLowerCase());
    if (known === undefined)
      throw new DeltaError("DELTA_UNSUPPORTED_FEATURES_IN_CONFIG", `The table feature ${name} is not known.`, {
        ...at,
        hint: `Known are ${FEATURES.map((feature) => feature.name).join(", ")}.`,
      });
    // The older word for it.
    if (!/^(supported|enabled)$/i.test(value ?? ""))
      throw new DeltaError("DELTA_UNSUPPORTED_FEATURE_STATUS", `${key} is "${value}"; it can be "supported" only.`, {
        ...at,
        hint: "A feature that a table has is removed with ALTER TABLE … DROP FEATURE.",
      });
    return [known.name];
  });
}

/** Numbers below those that the table has ask for nothing, as in Spark. */
function withVersions(current: Protocol, configuration: TextMap, at: At): Protocol {
  const [reader, writer] = VERSION_PROPERTIES.map((key, index) => {
    const value = configuration[key];
    const newest = index === 0 ? READER_VERSION : WRITER_VERSION;
    if (value === undefined) return 1;
    if (value !== null && /^\d$/.test(value) && Number(value) >= 1 && Number(value) <= newest) return Number(value);
    throw new DeltaError("DELTA_INVALID_PROTOCOL_VERSION", `${key} is "${value}"; it can be 1 to ${newest}.`, {
      ...at,
      hint: "Leave it out: properties and schema raise the protocol as far as they need.",
    });
  }) as [number, number];
  const implied = FEATURES.filter(
    ({ impliedBy }) => impliedBy !== undefined && impliedBy.writer <= writer && (impliedBy.reader ?? 1) <= reader,
  );
  const raised = withFeatures(
    current,
    // Versions 3 and 7 imply nothing: there every feature is listed.
    writer < WRITER_VERSION ? implied.map(({ name }) => name) : [],
    at,
  );
  return writer < WRITER_VERSION ? raised : withLists(raised, [], reader);
}
