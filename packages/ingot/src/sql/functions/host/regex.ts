import { type HostFunction, hostFunction, SparkCondition } from "./host-function.js";
import { RegexRefusal, translateRegex } from "./java-regex.js";
import { remember } from "./remember.js";

interface Compiled {
  readonly regex: RegExp;
  readonly groups: number;
  readonly names: ReadonlyMap<string, number>;
}

/** @throws RegexRefusal */
export const compileRegex = remember((pattern): Compiled => {
  const { source, names } = translateRegex(pattern);
  const regex = new RegExp(source, "gv");
  const groups = (new RegExp(`${source}|`, "v").exec("")?.length ?? 1) - 1;
  return { regex, groups, names };
});

/** For patterns that are no constants: a refusal stops the query. */
function compile(pattern: string): Compiled {
  try {
    return compileRegex(pattern);
  } catch (error) {
    if (error instanceof RegexRefusal) throw new SparkCondition("NOT_SUPPORTED", error.message);
    throw error;
  }
}

function* matches(text: string, { regex }: Compiled): Iterable<RegExpExecArray> {
  regex.lastIndex = 0;
  for (let match = regex.exec(text); match !== null; match = regex.exec(text)) {
    const { lastIndex } = regex;
    yield match;
    const step = match[0] === "" ? String.fromCodePoint(text.codePointAt(lastIndex) ?? 0).length : 0;
    regex.lastIndex = lastIndex + step;
  }
}

function first(text: string, compiled: Compiled): RegExpExecArray | undefined {
  compiled.regex.lastIndex = 0;
  return compiled.regex.exec(text) ?? undefined;
}

function checkGroup(name: string, group: number, { groups }: Compiled): void {
  if (group < 0 || group > groups)
    throw new SparkCondition(
      "INVALID_PARAMETER_VALUE.REGEX_GROUP_INDEX",
      `The value of parameter(s) \`idx\` in \`${name}\` is invalid: Expects group index between 0 and ${groups}, but got ${group}.`,
    );
}

export const REGEXP_LIKE = hostFunction("regexp_like", ["string", "string"], "boolean", (text, pattern) => {
  return first(text, compile(pattern)) !== undefined;
});

export const REGEXP_EXTRACT = hostFunction(
  "regexp_extract",
  ["string", "string", "int"],
  "string",
  (text, pattern, group) => {
    const compiled = compile(pattern);
    const match = first(text, compiled);
    if (match === undefined) return "";
    checkGroup("regexp_extract", group, compiled);
    return match[group] ?? "";
  },
);

export const REGEXP_EXTRACT_ALL = hostFunction(
  "regexp_extract_all",
  ["string", "string", "int"],
  "strings",
  (text, pattern, group) => {
    const compiled = compile(pattern);
    return [...matches(text, compiled)].map((match) => {
      checkGroup("regexp_extract_all", group, compiled);
      return match[group] ?? "";
    });
  },
);

export const REGEXP_COUNT = hostFunction("regexp_count", ["string", "string"], "int", (text, pattern) => {
  return [...matches(text, compile(pattern))].length;
});

/** Counts UTF-16 units from 1, as Java does. */
export const REGEXP_INSTR = hostFunction("regexp_instr", ["string", "string"], "int", (text, pattern) => {
  const match = first(text, compile(pattern));
  return match === undefined ? 0 : match.index + 1;
});

export const REGEXP_SUBSTR = hostFunction("regexp_substr", ["string", "string"], "string", (text, pattern) => {
  return first(text, compile(pattern))?.[0];
});

export const REGEXP_REPLACE = hostFunction(
  "regexp_replace",
  ["string", "string", "string", "int"],
  "string",
  (text, pattern, replacement, position) => {
    if (position > 1 && position > text.length) return text;
    const compiled = compile(pattern);
    const subject = text.slice(position - 1);
    let result = text.slice(0, position - 1);
    let end = 0;
    for (const match of matches(subject, compiled)) {
      result += subject.slice(end, match.index) + expand(replacement, match, compiled);
      end = match.index + match[0].length;
    }
    return result + subject.slice(end);
  },
);

/** `Matcher.appendReplacement`: `$1`, `${name}`, and a backslash before what stands for itself. */
function expand(replacement: string, match: RegExpExecArray, { groups, names }: Compiled): string {
  return replacement.replace(
    /\\([\s\S]?)|\$(?:([0-9]+)|\{([A-Za-z][A-Za-z0-9]*)\})?/g,
    (part, escaped, digits, name) => {
      if (part.startsWith("\\")) {
        if (escaped === "") throw new SparkCondition("NOT_SUPPORTED", "A replacement that ends with a backslash.");
        return escaped;
      }
      if (name !== undefined && names.has(name)) return match[names.get(name) ?? 0] ?? "";
      if (digits === undefined || Number(digits[0]) > groups)
        throw new SparkCondition(
          "INVALID_REGEXP_REPLACE",
          `The replacement ${replacement} names a group that the pattern has not.`,
        );
      // As many digits as make a group.
      let length = 1;
      while (length < digits.length && Number(digits.slice(0, length + 1)) <= groups) length++;
      return (match[Number(digits.slice(0, length))] ?? "") + digits.slice(length);
    },
  );
}

/** `UTF8String.split`: an empty pattern parts the characters; else Java's, which keeps empty parts at the end. */
export const SPLIT = hostFunction("split", ["string", "string", "int"], "strings", (text, pattern, limit) => {
  if (pattern === "" && text !== "") {
    const chars = [...text];
    const most = limit <= 0 || limit > chars.length ? chars.length : limit;
    return [...chars.slice(0, most - 1), chars.slice(most - 1).join("")];
  }
  const parts: string[] = [];
  let end = 0;
  for (const match of matches(text, compile(pattern))) {
    if (limit > 0 && parts.length >= limit - 1) break;
    if (match.index === 0 && match[0] === "" && end === 0) continue;
    parts.push(text.slice(end, match.index));
    end = match.index + match[0].length;
  }
  return [...parts, text.slice(end)];
});

export const REGEXES: readonly HostFunction[] = [
  REGEXP_LIKE,
  REGEXP_EXTRACT,
  REGEXP_EXTRACT_ALL,
  REGEXP_COUNT,
  REGEXP_INSTR,
  REGEXP_SUBSTR,
  REGEXP_REPLACE,
  SPLIT,
];
