import { nearest } from "../../model/nearest.js";
import type { Moment, TableOptions } from "../../model/query.js";
import type { FileOption } from "./files/file-options.js";
import { bytes, count, flag } from "./files/option-values.js";
import { close, type Parser, problem, readList } from "./parser.js";

/** The options of a streaming read of a Delta table that Ingot reads, by their names in Delta Lake. */
const OPTIONS = [
  "readChangeFeed",
  "startingVersion",
  "startingTimestamp",
  "skipChangeCommits",
  "maxFilesPerTrigger",
  "maxBytesPerTrigger",
];

/** Other options of Delta Lake, each with what to write instead. */
const NOT_READ: Readonly<Record<string, string>> = {
  readChangeData: "Its newer name is readChangeFeed.",
  endingVersion: "A stream has no end. For a range of versions read table_changes('t', from, to).",
  endingTimestamp: "A stream has no end. For a range of time read table_changes('t', from, to).",
  ignoreChanges:
    "It gives rows again that were not changed. Read the change feed, or leave such versions out with skipChangeCommits = true.",
  ignoreDeletes: "Read the change feed, or leave versions that delete out with skipChangeCommits = true.",
  ignoreFileDeletion: "Read the change feed, or leave versions that delete out with skipChangeCommits = true.",
  failOnDataLoss: "Versions that are gone always stop a stream: leave it out.",
  schemaTrackingLocation: "A stream is typed anew at each run: leave it out.",
  excludeRegex: "Filter with WHERE.",
  versionAsOf: "Write VERSION AS OF behind a table that is read without STREAM.",
  timestampAsOf: "Write TIMESTAMP AS OF behind a table that is read without STREAM.",
};

/**
 * `WITH (option = value, …)` after a table that is streamed, or nothing. Spark takes such a list behind any table, and
 * passes over what it does not know; here an option must have effect.
 *
 * @throws IngotError UNKNOWN_OPTION, NOT_SUPPORTED, BAD_OPTION with the place of the option
 */
export function parseTableOptions(parser: Parser, stream: boolean): { options?: TableOptions } {
  const { reader } = parser;
  if (!reader.sees("WITH", "(")) return {};
  if (!stream) {
    const hint =
      "Read the table without it. For its changes read table_changes('t', from, to); or write STREAM before the table.";
    throw problem(parser, "UNSUPPORTED_CLAUSE", "WITH (…) after a table that is read whole has no effect", hint);
  }
  reader.expect("WITH", "(");
  const options = new Map<string, TableOption>();
  for (const option of readList(parser, parseOption)) {
    const before = options.get(option.name);
    if (before !== undefined)
      throw problem(
        parser,
        "BAD_OPTION",
        `The option ${option.name} is given twice`,
        "Keep one of them.",
        option.index,
      );
    options.set(option.name, option);
  }
  close(parser);
  return { options: toTableOptions(parser, options) };
}

interface TableOption extends FileOption {
  readonly name: string;
  readonly index: number;
}

function parseOption(parser: Parser): TableOption {
  const { reader } = parser;
  const index = reader.index;
  const written = reader.peek()?.kind === "string" ? reader.readString() : reader.readParts("an option").join(".");
  const name = checkName(parser, written, index);
  const at = reader.at(index);
  // Spark's sign is `=`, and may be left out; `=>` is Lakeflow's for options elsewhere.
  if (!reader.take("=")) reader.take("=>");
  const valueAt = reader.at();
  const token = reader.peek();
  if (token?.kind === "string") return { name, value: reader.readString(), at, valueAt, index };
  const isValue = token?.kind === "number" || reader.sees("TRUE") || reader.sees("FALSE");
  if (!isValue) throw reader.failure(["a string", "a number", "TRUE", "FALSE"]);
  reader.index += 1;
  return { name, value: token?.text ?? "", at, valueAt, index };
}

function checkName(parser: Parser, written: string, index: number): string {
  const same = (name: string) => name.toLowerCase() === written.toLowerCase();
  const known = OPTIONS.find(same);
  if (known !== undefined) return known;
  const other = Object.keys(NOT_READ).find(same);
  if (other !== undefined) {
    const what = `The option ${other} of a streaming read is not supported`;
    throw problem(parser, "NOT_SUPPORTED", what, NOT_READ[other] ?? "", index);
  }
  const near = nearest(written, OPTIONS);
  const hint = near === undefined ? `There are ${OPTIONS.join(", ")}.` : `Did you mean ${near}?`;
  throw problem(parser, "UNKNOWN_OPTION", `A streaming read of a table has no option ${written}`, hint, index);
}

function toTableOptions(parser: Parser, options: ReadonlyMap<string, TableOption>): TableOptions {
  const changeFeed = flag(options, "readChangeFeed", false);
  const skips = flag(options, "skipChangeCommits", false);
  const maxFiles = count(options, "maxFilesPerTrigger");
  const maxBytes = bytes(options, "maxBytesPerTrigger");
  const from = readStart(parser, options);
  const skipping = options.get("skipChangeCommits");
  if (changeFeed && skips) {
    const hint = "A change feed tells all changes. Filter on _change_type, or leave readChangeFeed out.";
    throw problem(parser, "BAD_OPTION", "skipChangeCommits has no effect on a change feed", hint, skipping?.index);
  }
  return {
    ...(changeFeed ? { changeFeed } : {}),
    ...(from === undefined ? {} : { from }),
    ...(skips ? { skipChangeCommits: skips } : {}),
    ...(maxFiles === undefined ? {} : { maxFiles }),
    ...(maxBytes === undefined ? {} : { maxBytes }),
  };
}

function readStart(parser: Parser, options: ReadonlyMap<string, TableOption>): Moment | "latest" | undefined {
  const [version, time] = [options.get("startingVersion"), options.get("startingTimestamp")];
  if (version !== undefined && time !== undefined) {
    const what = "startingVersion and startingTimestamp say the same thing twice";
    throw problem(parser, "BAD_OPTION", what, "Keep one of them.", time.index);
  }
  if (time !== undefined) return { timestamp: time.value };
  if (version === undefined) return undefined;
  if (version.value.toLowerCase() === "latest") return "latest";
  if (/^\d+$/.test(version.value)) return { version: String(BigInt(version.value)) };
  const what = `startingVersion is a version or 'latest', not '${version.value}'`;
  throw problem(parser, "BAD_OPTION", what, "Write a version such as 0.", version.index);
}
