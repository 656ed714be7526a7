/** DuckDB's text of a value, and whether it draws another one each time. */
export interface Operand {
  readonly sql: string;
  readonly volatile: boolean;
}

/** A text this long is not written more than once: nested operations would double it at each level. */
const LONG = 120;

/**
 * DuckDB's text of something that needs the values of its operands more than once. DuckDB has no local names but those
 * of a lambda, which costs a list a row: short operands are simply written again.
 */
export function once<T extends Operand>(operands: readonly T[], use: (...operands: T[]) => string): string {
  if (operands.every(({ sql, volatile }) => sql.length <= LONG && !volatile)) return use(...operands);
  const fields = operands.map(({ sql }, i) => `'v${i}': ${sql}`).join(", ");
  const body = use(...operands.map((operand, i) => ({ ...operand, sql: `struct_extract("o", 'v${i}')` })));
  return `list_transform([{${fields}}], lambda "o": ${body})[1]`;
}
