/** DuckDB's text of statistics over a list of numbers, or of pairs `x`, `y`, none of them NULL: Spark's steps in order. */

const ZERO = "CAST(0 AS DOUBLE)";
// Fields of a lambda's parameter stand in brackets: DuckDB takes `s.n` for a column of the query that is called s.

/** A text that uses the list many times, over the list computed once. */
const over = (list: string, body: string) => `(list_transform([${list}], lambda l: ${body}))[1]`;
/** The same over a state, which is a struct. */
const withState = (state: string, body: string) => `list_transform([${state}], lambda s: ${body})[1]`;

/** A fold over `l`: the state and the elements are structs of the same fields, `e.x` is of the element. */
function fold(element: readonly string[], state: readonly string[], next: string): string {
  const struct = (value: (field: string) => string) =>
    `{${[...element.map((f) => `'${f}': ${value(f)}`), ...state.map((f) => `'${f}': ${ZERO}`)].join(", ")}}`;
  const given = struct((field) => (element.length === 1 ? "v" : `v['${field}']`));
  return `list_reduce(list_transform(l, lambda v: ${given}), lambda s, e: ${next}, ${struct(() => ZERO)})`;
}

/** `CentralMomentAgg.updateExpressions`; steps that are used twice stand behind lambdas of one element. */
const MOMENTS = fold(
  ["x"],
  ["n", "mean", "m2", "m3", "m4"],
  "list_transform([{'d': e['x'] - s['mean'], 'k': (e['x'] - s['mean']) / (s['n'] + 1)}], lambda t: list_transform([{'m2': s['m2'] + t['d'] * (t['d'] - t['k']), 'd2': t['d'] * t['d'], 'k2': t['k'] * t['k']}], lambda u: list_transform([s['m3'] - 3 * t['k'] * u['m2'] + t['d'] * (u['d2'] - u['k2'])], lambda m3: {'x': e['x'], 'n': s['n'] + 1, 'mean': s['mean'] + t['k'], 'm2': u['m2'], 'm3': m3, 'm4': s['m4'] - 4 * t['k'] * m3 - 6 * u['k2'] * u['m2'] + t['d'] * (t['d'] * u['d2'] - t['k'] * u['k2'])})[1])[1])[1]",
);
/** `Covariance` and `Corr`. */
const COMOMENTS = fold(
  ["x", "y"],
  ["n", "ax", "ay", "c", "mx", "my"],
  "list_transform([{'dx': e['x'] - s['ax'], 'dy': e['y'] - s['ay'], 'kx': (e['x'] - s['ax']) / (s['n'] + 1), 'ky': (e['y'] - s['ay']) / (s['n'] + 1)}], lambda t: {'x': e['x'], 'y': e['y'], 'n': s['n'] + 1, 'ax': s['ax'] + t['kx'], 'ay': s['ay'] + t['ky'], 'c': s['c'] + t['dx'] * (e['y'] - (s['ay'] + t['ky'])), 'mx': s['mx'] + t['dx'] * (e['x'] - (s['ax'] + t['kx'])), 'my': s['my'] + t['dy'] * (e['y'] - (s['ay'] + t['ky']))})[1]",
);

const atLeast = (count: number, body: string) => `CASE WHEN len(l) >= ${count} THEN ${body} END`;

export type Statistic = (list: string) => string;

export const variance =
  (population: boolean): Statistic =>
  (list) =>
    over(list, population ? atLeast(1, `${MOMENTS}.m2 / len(l)`) : atLeast(2, `${MOMENTS}.m2 / (len(l) - 1)`));
export const deviation =
  (population: boolean): Statistic =>
  (list) =>
    `sqrt(${variance(population)(list)})`;
export const skewness: Statistic = (list) =>
  ofShape(list, "sqrt(s['n']) * s['m3'] / sqrt(s['m2'] * s['m2'] * s['m2'])");
export const kurtosis: Statistic = (list) => ofShape(list, "s['n'] * s['m4'] / (s['m2'] * s['m2']) - 3");

function ofShape(list: string, body: string): string {
  return over(list, atLeast(1, withState(MOMENTS, `CASE WHEN s['m2'] = 0 THEN NULL ELSE ${body} END`)));
}

export const covariance =
  (population: boolean): Statistic =>
  (list) =>
    over(list, population ? atLeast(1, `${COMOMENTS}.c / len(l)`) : atLeast(2, `${COMOMENTS}.c / (len(l) - 1)`));
/** Where all values of a side are equal Spark divides by zero. */
export const correlation: Statistic = (list) => {
  const error = "error('[DIVIDE_BY_ZERO] Division by zero. Use try_divide to tolerate a divisor of 0.')";
  const divisor = `CASE WHEN s['mx'] * s['my'] = 0 THEN CAST(${error} AS DOUBLE) ELSE sqrt(s['mx'] * s['my']) END`;
  return over(list, atLeast(2, withState(COMOMENTS, `s['c'] / ${divisor}`)));
};

const side = (field: "x" | "y") => `list_transform(l, lambda e: e['${field}'])`;

/** The sum of the squared distances of one side of pairs from their mean. */
export const squaresOf =
  (field: "x" | "y"): Statistic =>
  (list) =>
    over(list, atLeast(1, `${over(side(field), MOMENTS)}.m2`));
export const productsOfPairs: Statistic = (list) => over(list, atLeast(1, `${COMOMENTS}.c`));
/** NULL where all x are equal. */
const line = (body: string) => `CASE WHEN m2 = 0 THEN NULL ELSE ${body} END`;
const fitted = (body: string) =>
  `list_transform([${over(side("x"), MOMENTS)}.m2], lambda m2: ${withState(COMOMENTS, line(body))})[1]`;
export const slope: Statistic = (list) => over(list, atLeast(1, fitted("s['c'] / m2")));
export const intercept: Statistic = (list) => over(list, atLeast(1, fitted("s['ay'] - s['c'] / m2 * s['ax']")));
/** NULL where all x (the pairs' second) are equal, 1 where all y are. */
export const determination: Statistic = (list) => {
  const square = "list_transform([s['c'] / sqrt(s['mx'] * s['my'])], lambda r: r * r)[1]";
  return over(
    list,
    atLeast(1, withState(COMOMENTS, `CASE WHEN s['my'] = 0 THEN NULL WHEN s['mx'] = 0 THEN 1 ELSE ${square} END`)),
  );
};

/** Between two values of a sorted list in proportion (`PercentileBase.getPercentile`). */
export function percentileOf(list: string, share: string): string {
  const at = "((len(l) - 1) * p)";
  const value = (place: string) => `l[CAST(${place}(${at}) AS BIGINT) + 1]`;
  const [low, high] = [value("floor"), value("ceil")];
  const between = `(ceil(${at}) - ${at}) * ${low} + (${at} - floor(${at})) * ${high}`;
  return ofShare(list, share, `CASE WHEN ${low} = ${high} THEN ${low} ELSE ${between} END`);
}

/** The first value of a sorted list that reaches the share. */
export function discretePercentileOf(list: string, share: string): string {
  return ofShare(list, share, "l[CAST(greatest(ceil(len(l) * p), 1) AS BIGINT)]");
}

/** The value at the share's row, the first or last where the share is within the error of an end (`QuantileSummaries`). */
export function approximatePercentileOf(list: string, share: string, accuracy: number): string {
  const place = `CASE WHEN p <= 1 / CAST(${accuracy} AS DOUBLE) THEN 1 WHEN p >= 1 - 1 / CAST(${accuracy} AS DOUBLE) THEN len(l) ELSE ceil(p * len(l)) END`;
  return ofShare(list, share, `l[CAST(${place} AS BIGINT)]`);
}

function ofShare(list: string, share: string, body: string): string {
  const wrong = "error('[INVALID_PARAMETER_VALUE] A share lies between 0 and 1.')";
  const checked = `CASE WHEN p < 0 OR p > 1 THEN l[CAST(${wrong} AS BIGINT)] ELSE ${body} END`;
  return over(list, `list_transform([${share}], lambda p: ${atLeast(1, checked)})[1]`);
}
