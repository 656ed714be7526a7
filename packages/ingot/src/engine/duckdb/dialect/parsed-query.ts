import { IngotError } from "../../../model/error.js";
import { positionAt, type SqlText } from "../../../model/position.js";

/** What a query of DuckDB's own SQL names, found in the tree that DuckDB's parser gives. */
export interface ParsedQuery {
  readonly tables: readonly TableRef[];
  /** Names of all functions. */
  readonly functions: ReadonlySet<string>;
  /** Whether it draws rows at random. */
  readonly samples: boolean;
}

/** A table that is no CTE; `start` and `end` are offsets of its name in the text. */
export interface TableRef {
  readonly name: readonly string[];
  readonly start: number;
  readonly end: number;
  readonly hasAlias: boolean;
}

/** Functions in FROM that read nothing. All others may read files, or what a run does not know. */
const PURE_TABLE_FUNCTIONS = new Set(["range", "generate_series", "unnest", "repeat", "repeat_row"]);

/**
 * Reads the answer of `json_serialize_sql`.
 *
 * @throws IngotError PARSE_SYNTAX_ERROR for no query of DuckDB; UNSUPPORTED_CLAUSE for what reads other than tables
 */
export function readParsedQuery(query: SqlText, json: string): ParsedQuery {
  const answer = JSON.parse(json) as Answer;
  if (answer.error) throw syntaxError(query, answer);
  const [statement, second] = answer.statements;
  if (second !== undefined)
    throw new IngotError("PARSE_SYNTAX_ERROR", "The text holds more than one query", {
      at: positionAt(query, 0),
      hint: "Keep one query.",
    });
  const reader = new TreeReader(query);
  reader.visit(statement?.node, new Set());
  return reader;
}

type Answer =
  | { readonly error: true; readonly error_message: string; readonly position?: string }
  | { readonly error: false; readonly statements: readonly { readonly node: unknown }[] };

type Node = Readonly<Record<string, unknown>>;

interface Cte {
  readonly key: string;
  readonly value: { readonly query: { readonly node: Node } };
}

class TreeReader implements ParsedQuery {
  readonly tables: TableRef[] = [];
  readonly functions = new Set<string>();
  samples = false;
  readonly #query: SqlText;
  readonly #bytes: Buffer;

  constructor(query: SqlText) {
    this.#query = query;
    this.#bytes = Buffer.from(query.text);
  }

  visit(value: unknown, ctes: ReadonlySet<string>): void {
    if (Array.isArray(value)) for (const item of value) this.visit(item, ctes);
    else if (typeof value === "object" && value !== null) this.#visitNode(value as Node, ctes);
  }

  #visitNode(node: Node, around: ReadonlySet<string>): void {
    const ctes = this.#visitCtes(node, around);
    if (node["sample"] !== null && node["sample"] !== undefined) this.samples = true;
    switch (node["type"]) {
      case "BASE_TABLE":
        this.#addTable(node, ctes);
        break;
      case "TABLE_FUNCTION":
        this.#checkTableFunction(node["function"] as Node);
        break;
      case "SHOW_REF":
        throw this.#unsupported("DESCRIBE, SHOW or SUMMARIZE within a query", node, "Name the columns.");
      case "VALUE_PARAMETER":
        throw this.#unsupported("A parameter", node, "Write the value itself.");
      case "FUNCTION":
      case "WINDOW_AGGREGATE":
        this.functions.add(String(node["function_name"]).toLowerCase());
        break;
      case "COLUMN_REF": {
        const names = node["column_names"] as readonly string[];
        // `current_date` and its kin stand without parentheses.
        if (names.length === 1 && /^(current_|local)/i.test(names[0] ?? ""))
          this.functions.add((names[0] ?? "").toLowerCase());
        break;
      }
    }
    for (const [key, value] of Object.entries(node)) if (key !== "cte_map") this.visit(value, ctes);
  }

  /** Each CTE sees those before it, and itself where it is recursive; the query sees all. */
  #visitCtes(node: Node, around: ReadonlySet<string>): ReadonlySet<string> {
    const { map = [] } = (node["cte_map"] ?? {}) as { map?: readonly Cte[] };
    const ctes = new Set(around);
    for (const { key, value } of map) {
      const name = key.toLowerCase();
      const isRecursive = value.query.node["type"] === "RECURSIVE_CTE_NODE";
      this.visit(value, isRecursive ? new Set([...ctes, name]) : ctes);
      ctes.add(name);
    }
    return ctes;
  }

  #addTable(node: Node, ctes: ReadonlySet<string>): void {
    const name = [node["catalog_name"], node["schema_name"], node["table_name"]].map(String).filter((p) => p !== "");
    if (name.length === 1 && ctes.has((name[0] ?? "").toLowerCase())) return;
    if (node["at_clause"] !== null) throw this.#unsupported("AT", node, "Name a view that reads the table's version.");
    const start = this.#offsetOf(node);
    const written = readName(this.#query.text, start);
    if (written === undefined || written.parts.join("\0") !== name.join("\0"))
      throw this.#unsupported(`${name.join(".")} in this form`, node, "Name a table or view of the project.");
    this.tables.push({ name, start, end: written.end, hasAlias: node["alias"] !== "" });
  }

  #checkTableFunction(call: Node): void {
    const name = String(call["function_name"]).toLowerCase();
    if (PURE_TABLE_FUNCTIONS.has(name)) return;
    const hint = "A run must know what a query reads: declare a table that reads the files, and read that.";
    throw this.#unsupported(`The table function ${name}`, call, hint);
  }

  #unsupported(what: string, node: Node, hint: string): IngotError {
    const at = positionAt(this.#query, this.#offsetOf(node));
    return new IngotError("UNSUPPORTED_CLAUSE", `${what} cannot be used in a query with a dialect`, { at, hint });
  }

  /** DuckDB counts bytes. Nodes that it made itself have a place beyond the text. */
  #offsetOf(node: Node): number {
    const location = Number(node["query_location"]);
    return location <= this.#bytes.length ? this.#bytes.subarray(0, location).toString().length : 0;
  }
}

/** The parts of the name that begins at an offset, with or without quotes; undefined where none stands. */
function readName(
  text: string,
  start: number,
): { readonly parts: readonly string[]; readonly end: number } | undefined {
  const part = /\s*(?:"((?:[^"]|"")*)"|([\p{L}_][\p{L}\p{N}_$]*))/uy;
  const dot = /\s*\./y;
  const parts: string[] = [];
  let end = start;
  do {
    part.lastIndex = parts.length === 0 ? end : dot.lastIndex;
    const found = part.exec(text);
    if (found === null) return undefined;
    parts.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? "");
    end = part.lastIndex;
    dot.lastIndex = end;
  } while (dot.test(text));
  return { parts, end };
}

function syntaxError(query: SqlText, answer: Answer & { error: true }): IngotError {
  const isOther = answer.error_message.startsWith("Only SELECT statements");
  const message = isOther ? "This is no query whose columns are known before it runs" : answer.error_message;
  const bytes = Buffer.from(query.text).subarray(0, Number(answer.position ?? 0));
  return new IngotError("PARSE_SYNTAX_ERROR", `DuckDB: ${message}`, {
    at: positionAt(query, bytes.toString().length),
    hint: isOther
      ? "Write one SELECT; PIVOT with its values: PIVOT (sum(x) FOR y IN (1, 2))."
      : "The dataset has `dialect` duckdb, so its query is DuckDB's own SQL. Take the option out for Spark SQL.",
  });
}
