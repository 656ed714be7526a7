import type * as model from "../model/definition.js";
import { completeName } from "../model/name.js";
import type { Api } from "./api-types.js";
import { expression, flag, name, names, query, target, text } from "./checks.js";
import { readExpression } from "./expression.js";
import { readParts, readSimpleName } from "./names.js";
import { badOption, type Call, readOptions, requireOptions } from "./options.js";
import type { Scope } from "./scope.js";
import type { Dataset, Flow, TableRef } from "./types.js";
import { makeFlow, makeReference, partsOfSql, relationOf, toSqlText } from "./values.js";

/** Options that every flow has. */
const FLOW = { target, name, comment: text };

/** What a flow's model has, whatever its kind; and the value that stands for its target. */
export interface FlowHead {
  readonly head: Pick<model.QueryFlow, "name" | "target" | "at" | "comment" | "defaults">;
  readonly targetValue: Dataset | TableRef;
}

/** The functions that declare flows of a query. */
export function createFlows(scope: Scope): Pick<Api, "appendFlow" | "replaceFlow"> {
  const appendFlow = (given: unknown): Flow => {
    const call: Call = { text: "appendFlow()", at: scope.places.callSite(appendFlow) };
    const options = readOptions(scope, call, given, { ...FLOW, query, once: flag });
    requireOptions(scope, call, given, { target, query });
    const { head, targetValue } = readHead(scope, call, options);
    const sql = toSqlText(partsOfSql(options.query) ?? [], call.at);
    scope.declare("flows", { kind: "query", ...head, query: sql, ...(options.once ? { once: true } : {}) });
    return makeFlow(head.name, targetValue);
  };

  const replaceFlow = (given: unknown): Flow => {
    const call: Call = { text: "replaceFlow()", at: scope.places.callSite(replaceFlow) };
    const checks = { ...FLOW, query, replaceWhere: expression, replaceUsing: names, sequenceBy: name };
    const { replaceWhere, replaceUsing, sequenceBy, ...options } = readOptions(scope, call, given, checks);
    requireOptions(scope, call, given, { target, query });
    const byKey = replaceUsing !== undefined && sequenceBy !== undefined;
    if ((replaceWhere === undefined) !== byKey || (replaceWhere !== undefined && (replaceUsing ?? sequenceBy))) {
      const hint =
        "replaceWhere replaces the rows of a condition; the other two replace the rows of the keys that arrive.";
      badOption(scope, call, "replaceFlow() takes replaceWhere, or replaceUsing and sequenceBy", hint);
    }
    const { head, targetValue } = readHead(scope, call, options);
    scope.declare("flows", {
      kind: "replace",
      ...head,
      query: toSqlText(partsOfSql(options.query) ?? [], call.at),
      ...(replaceWhere === undefined
        ? {}
        : { replaceWhere: readExpression(scope, call, "`replaceWhere`", replaceWhere) }),
      ...(replaceUsing === undefined ? {} : { replaceUsing }),
      ...(sequenceBy === undefined ? {} : { sequenceBy }),
    });
    return makeFlow(head.name, targetValue);
  };

  return { appendFlow, replaceFlow } as Pick<Api, "appendFlow" | "replaceFlow">;
}

/** Target and name of a flow; the name is the target's where none is given. */
export function readHead(
  scope: Scope,
  call: Call,
  options: { readonly target?: Dataset | string; readonly name?: string; readonly comment?: string },
): FlowHead {
  const { table, value } = readTarget(scope, call, options.target);
  const name =
    options.name === undefined
      ? table.table
      : readSimpleName(scope, call.text, options.name, call.at, "MULTIPART_FLOW_NAME_NOT_SUPPORTED");
  const comment = options.comment === undefined ? {} : { comment: options.comment };
  return {
    head: { name, target: table, at: call.at, defaults: scope.defaults, ...comment },
    targetValue: value,
  };
}

function readTarget(scope: Scope, call: Call, given: Dataset | string | undefined) {
  const known = relationOf(given)?.table;
  if (known !== undefined) return { table: known, value: given as Dataset };
  // A target that was left out is reported already.
  const name = typeof given === "string" ? given : "_";
  const parts = readParts(scope, call.text, name, call.at);
  return { table: completeName(parts, scope.defaults), value: makeReference(name, parts, scope.defaults) };
}
