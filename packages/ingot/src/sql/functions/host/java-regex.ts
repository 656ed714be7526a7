import { type ClassSet, escapeClass, parseClass, printClass } from "./java-regex-class.js";

/** A pattern of Java that has no exact reading here, or that Java refuses. */
export class RegexRefusal extends Error {}

/** Line ends of Java: more than JavaScript's. */
const LINE_ENDS = "\\n\\r\\x85\\u2028\\u2029";
const LAST_LINE_END = `(?<!\\r(?=\\n))(?=(?:\\r\\n|[${LINE_ENDS}])?(?![\\s\\S]))`;
const WORD = "[\\p{L}\\p{Nd}_]";
const BOUNDARY = `(?:(?<=${WORD})(?!${WORD})|(?<!${WORD})(?=${WORD}))`;
const NO_BOUNDARY = `(?:(?<=${WORD})(?=${WORD})|(?<!${WORD})(?!${WORD}))`;

const ASSERTIONS: Readonly<Record<string, string>> = {
  A: "(?<![\\s\\S])",
  z: "(?![\\s\\S])",
  Z: LAST_LINE_END,
  b: BOUNDARY,
  B: NO_BOUNDARY,
};
const LINE_BREAK = "(?:\\r\\n|[\\n\\x0B\\f\\r\\x85\\u2028\\u2029])";

/** A group that is open. */
interface Frame {
  readonly capture: boolean;
  readonly lookaround: boolean;
  readonly close: string;
  /** Captures within it; `loose` may be left out by a match of the group. */
  readonly groups: number[];
  readonly loose: Set<number>;
  alternates: boolean;
}
const newFrame = (capture: boolean, lookaround = false): Frame => ({
  capture,
  lookaround,
  close: ")",
  groups: [],
  loose: new Set(),
  alternates: false,
});

/**
 * A pattern of `java.util.regex` as one of JavaScript (flag `v`) that finds the same matches and groups: both backtrack
 * alike. @throws RegexRefusal for what JavaScript lacks (possessive quantifiers, atomic groups, flags within) or sees in
 * another way (a group that a repetition leaves out)
 */
export function translateRegex(pattern: string): {
  readonly source: string;
  readonly names: ReadonlyMap<string, number>;
} {
  const chars = [...pattern];
  let at = 0;
  let groups = 0;
  const names = new Map<string, number>();
  const references: { readonly group: number; readonly closed: boolean }[] = [];
  const closed = new Set<number>();
  const frames: Frame[] = [newFrame(false)];
  const frame = () => frames.at(-1) as Frame;
  const refuse = (what: string): never => {
    throw new RegexRefusal(`${what} in the regular expression ${pattern}`);
  };
  const rest = () => chars.slice(at).join("");
  const flags = /^\(\?([ism]+)\)/.exec(pattern)?.[1] ?? "";
  at = flags === "" ? 0 : flags.length + 3;
  const anyCase = flags.includes("i");
  const set = (value: ClassSet) => printClass(value, anyCase);
  const reference = (group: number) => {
    references.push({ group, closed: closed.has(group) });
    return `(?:\\${group})`;
  };

  let output = "";
  while (at < chars.length) {
    const char = chars[at] ?? "";
    let atom = "";
    let isAssertion = false;
    if (char === "\\") {
      const next = chars[at + 1];
      if (next === undefined) refuse("A backslash at the end");
      else if (next === "Q") {
        const text = rest().slice(2);
        const end = text.indexOf("\\E");
        const literal = [...(end === -1 ? text : text.slice(0, end))];
        at += 2 + literal.length + (end === -1 ? 0 : 2);
        if (literal.length === 0) continue;
        output += literal
          .slice(0, -1)
          .map((c) => set({ kind: "char", char: c }))
          .join("");
        atom = set({ kind: "char", char: literal.at(-1) ?? "" });
      } else if (Object.hasOwn(ASSERTIONS, next)) {
        at += 2;
        atom = ASSERTIONS[next] ?? "";
        isAssertion = true;
      } else if (next === "R") {
        at += 2;
        atom = LINE_BREAK;
      } else if (/[1-9]/.test(next)) {
        let group = Number(next);
        at += 2;
        // Further digits count as long as there is such a group before them.
        for (; /[0-9]/.test(chars[at] ?? "") && group * 10 + Number(chars[at]) <= groups; at++)
          group = group * 10 + Number(chars[at]);
        atom = reference(group);
      } else if (next === "k") {
        const name = /^\\k<([A-Za-z][A-Za-z0-9]*)>/.exec(rest())?.[1] ?? refuse("\\k without a name");
        at += name.length + 4;
        atom = reference(names.get(name) ?? refuse(`No group ${name}`));
      } else {
        const parsed = escapeClass(chars, at, refuse);
        at = parsed.at;
        atom = set(parsed.set);
      }
    } else if (char === "[") {
      const parsed = parseClass(chars, at, refuse);
      at = parsed.at;
      atom = set(parsed.set);
    } else if (char === "(") {
      const head = /^\((?:\?(?::|=|!|<=|<!|<([A-Za-z][A-Za-z0-9]*)>|))?/.exec(rest()) ?? refuse("A group");
      const [opening, name] = head;
      if (opening === "(?") refuse("A flag or an atomic group");
      at += opening.length;
      const capture = opening === "(" || name !== undefined;
      frames.push(newFrame(capture, !capture && opening !== "(?:"));
      if (capture) {
        groups += 1;
        if (name !== undefined) names.set(name, groups);
        frame().groups.push(groups);
      }
      output += capture ? "(" : opening;
      continue;
    } else if (char === ")") {
      if (frames.length === 1) refuse("A closing parenthesis too many");
      const done = frames.pop() as Frame;
      at += 1;
      if (done.capture) closed.add(done.groups[0] ?? 0);
      const inner = done.capture ? done.groups.slice(1) : done.groups;
      if (done.alternates) for (const group of inner) done.loose.add(group);
      const quantifier = readQuantifier();
      if (quantifier.text !== "" && done.lookaround) refuse("A repeated lookaround");
      if (quantifier.most > 1 && done.loose.size > 0) refuse("A group that a repetition may leave out");
      if (quantifier.least === 0) for (const group of done.groups) done.loose.add(group);
      frame().groups.push(...done.groups);
      for (const group of done.loose) frame().loose.add(group);
      output += `)${quantifier.text}`;
      continue;
    } else if (char === "|") {
      frame().alternates = true;
      output += "|";
      at += 1;
      continue;
    } else if (char === "^") {
      at += 1;
      atom = flags.includes("m") ? refuse("^ with the flag m") : "(?<![\\s\\S])";
      isAssertion = true;
    } else if (char === "$") {
      at += 1;
      atom = flags.includes("m") ? refuse("$ with the flag m") : LAST_LINE_END;
      isAssertion = true;
    } else if (char === ".") {
      at += 1;
      atom = flags.includes("s") ? "[\\s\\S]" : `[^${LINE_ENDS}]`;
    } else if ("*+?{".includes(char)) refuse(`${char} that repeats nothing`);
    else {
      at += 1;
      atom = set({ kind: "char", char });
    }
    const quantifier = readQuantifier();
    if (isAssertion && quantifier.text !== "") refuse("A repeated anchor");
    output += `${atom}${quantifier.text}`;
  }
  if (frames.length > 1) refuse("A group that is not closed");
  const all = frame();
  if (all.alternates) for (const group of all.groups) all.loose.add(group);
  for (const { group, closed: isClosed } of references)
    if (!isClosed || all.loose.has(group)) refuse(`\\${group}, which may stand for no group,`);
  return { source: output, names };

  function readQuantifier(): { readonly text: string; readonly least: number; readonly most: number } {
    const match = /^(?:([*+?])|\{([0-9]+)(,?)([0-9]*)\})([?+]?)/.exec(rest());
    if (match === null) return { text: "", least: 1, most: 1 };
    const [text, sign, least = "", comma, most = ""] = match;
    if (match[5] === "+") refuse("A possessive quantifier");
    at += text.length;
    if (sign !== undefined)
      return { text, least: sign === "+" ? 1 : 0, most: sign === "?" ? 1 : Number.POSITIVE_INFINITY };
    if (most !== "" && (comma === "" || Number(most) < Number(least))) refuse("A repetition");
    const upper = most !== "" ? Number(most) : comma === "" ? Number(least) : Number.POSITIVE_INFINITY;
    return { text, least: Number(least), most: upper };
  }
}
