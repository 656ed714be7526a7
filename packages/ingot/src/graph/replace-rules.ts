import type { ChangeRules } from "../model/changes.js";
import { formatType } from "../model/data-type.js";
import type { ReplaceFlow } from "../model/definition.js";
import type { CompiledQuery } from "../model/query.js";
import { isComparable } from "../sql/bind/type-rules.js";
import type { ExpressionCompiler } from "../sql/compiler.js";
import { fault, refuseSourceNames, resolveKeys, splitSequence, WHOLE_ROWS } from "./change-rules.js";

/**
 * Which rows of its target a replace flow's rows take the place of: as `changeRules` for the rows of `replaceQuery`.
 *
 * @throws IngotError AUTOCDC_…, COLUMN_ALREADY_EXISTS, NOT_SUPPORTED, and what compiling an expression throws
 */
export async function replaceRules(
  flow: ReplaceFlow,
  query: CompiledQuery,
  compileExpression: ExpressionCompiler,
): Promise<ChangeRules> {
  const { columns, sequence } = splitSequence(query);
  refuseSourceNames(flow, columns);
  if (!isComparable(sequence.type))
    throw fault(
      flow,
      "AUTOCDC_MICROBATCH_VALIDATION.NON_ORDERABLE_SEQUENCE",
      `SEQUENCE BY is ${formatType(sequence.type)}, which has no order`,
      "Use a number, a text, a date or a time.",
    );
  const condition =
    flow.replaceWhere === undefined ? undefined : await compileExpression(flow.replaceWhere, columns, "REPLACE WHERE");
  return {
    storedAs: "scd1",
    keys: resolveKeys(flow, flow.replaceUsing ?? [], columns),
    columns,
    sequenceType: sequence.type,
    ...WHOLE_ROWS,
    tracked: [],
    ...(flow.sequenceBy === undefined ? {} : { sequenceColumn: flow.sequenceBy }),
    replace: condition === undefined ? {} : { condition: { duckdb: condition.duckdb, spark: condition.spark } },
  };
}
