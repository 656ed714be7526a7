import { IngotError } from "../../model/error.js";
import { sqlText } from "../../model/position.js";
import type { Expression, FromItem, Query, QueryBody, Select } from "./ast.js";
import { parseQuery } from "./parse-query.js";

/** For tests: trees as text, every operation in parentheses. */

export function parse(text: string): Query {
  return parseQuery(sqlText(text)).query;
}

export function select(text: string): Select {
  const { body } = parse(text);
  if (body.kind !== "select") throw new Error(`${text} is no SELECT`);
  return body;
}

/** The first item of a select list. */
export function item(text: string): string {
  const [first] = select(`SELECT ${text}`).items;
  if (first?.kind !== "expression") throw new Error(`${text} is no expression`);
  return show(first.expression);
}

/** Code and place of the error that a text raises. */
export function failure(text: string): string {
  const { code, at } = errorOf(text);
  return `${code} ${at?.line}:${at?.column}`;
}

export function errorOf(text: string): IngotError {
  try {
    parse(text);
  } catch (error) {
    if (error instanceof IngotError) return error;
    throw error;
  }
  throw new Error(`${text} is not refused`);
}

export function show(e: Expression): string {
  switch (e.kind) {
    case "binary":
      return `(${show(e.left)} ${e.op} ${show(e.right)})`;
    case "unary":
      return `(${e.op} ${show(e.operand)})`;
    case "is-null":
      return `(${show(e.operand)} IS ${e.negated ? "NOT " : ""}NULL)`;
    case "in-list":
      return `(${show(e.operand)} IN (${e.list.map(show).join(", ")}))`;
    case "in-query":
      return `(${show(e.operand)} IN {${showBody(e.query.body)}})`;
    case "exists":
      return `EXISTS {${showBody(e.query.body)}}`;
    case "scalar-query":
      return `{${showBody(e.query.body)}}`;
    case "interval":
      return `interval ${e.value}`;
    case "like-list":
      return `(${show(e.operand)} ${e.negated ? "NOT " : ""}LIKE ${e.all ? "ALL" : "ANY"} (${e.patterns.map(show).join(", ")}))`;
    case "row":
      return `row(${e.args.map((a) => show(a.expression)).join(", ")})`;
    case "lambda":
      return `((${e.parameters.map((p) => p.name).join(", ")}) → ${show(e.body)})`;
    case "star":
      return [...e.qualifier, "*"].join(".");
    case "like":
      return `(${show(e.operand)} LIKE ${show(e.pattern)}${e.escapeChar === undefined ? "" : ` ESCAPE ${e.escapeChar}`})`;
    case "column":
      return e.path.join(".");
    case "field":
      return `(${show(e.operand)}).${e.field}`;
    case "subscript":
      return `${show(e.operand)}[${show(e.index)}]`;
    case "literal":
      return e.type === "string" ? `'${e.value}'` : e.type === "number" ? e.value : `${e.type} ${e.value}`;
    case "cast":
      return `${e.try ? "try_" : ""}cast(${show(e.operand)} AS ${e.type.kind})`;
    case "case":
      return `case(${[...(e.operand === undefined ? [] : [show(e.operand)]), ...e.branches.map((b) => `${show(b.condition)} → ${show(b.result)}`), ...(e.otherwise === undefined ? [] : [show(e.otherwise)])].join("; ")})`;
    case "call":
      return `${e.name}(${e.distinct ? "DISTINCT " : ""}${e.star ? "*" : e.args.map((a) => show(a.expression)).join(", ")})${e.over === undefined ? "" : " OVER"}`;
  }
}

export function showBody(body: QueryBody): string {
  switch (body.kind) {
    case "query":
      return `(${showBody(body.query.body)})`;
    case "values":
      return `VALUES ${body.rows.map((row) => `(${row.map(show).join(", ")})`).join(", ")}`;
    case "set":
      return `(${showBody(body.left)} ${body.op}${body.all ? " ALL" : ""} ${showBody(body.right)})`;
    case "select": {
      const items = body.items.map((i) => (i.kind === "star" ? [...i.qualifier, "*"].join(".") : show(i.expression)));
      return `${items.join(", ")}${body.from === undefined ? "" : ` FROM ${showFrom(body.from)}`}`;
    }
  }
}

export function showFrom(from: FromItem): string {
  switch (from.kind) {
    case "relation":
      return from.relation.kind === "table" ? from.relation.name.join(".") : from.relation.kind;
    case "cte":
      return `cte ${from.cte.name}`;
    case "derived":
      return `{${showBody(from.query.body)}}`;
    case "function":
      return `${from.lateral === true ? "lateral " : ""}${show(from.call)}`;
    case "lateral-view":
      return `(${showFrom(from.input)} view ${show(from.call)})`;
    case "pivot":
      return `(${showFrom(from.input)} pivot)`;
    case "unpivot":
      return `(${showFrom(from.input)} unpivot)`;
    case "join":
      return `(${showFrom(from.left)} ${from.natural === true ? "natural " : ""}${from.type} ${showFrom(from.right)})`;
  }
}
