import type { Rows } from "./roaring-bitmap.js";

/** Rows of the first set that the second lacks. */
export function difference(first: Rows, second: Rows): Rows {
  let at = 0;
  return first.filter((row) => {
    while (at < second.length && (second[at] ?? row) < row) at += 1;
    return second[at] !== row;
  });
}

/** Rows of both sets, which have none in common. */
export function union(first: Rows, second: Rows): Rows {
  const all = new Float64Array(first.length + second.length);
  let [i, j] = [0, 0];
  for (let at = 0; at < all.length; at += 1) {
    const a = first[i] ?? Number.POSITIVE_INFINITY;
    const b = second[j] ?? Number.POSITIVE_INFINITY;
    if (a < b) i += 1;
    else j += 1;
    all[at] = Math.min(a, b);
  }
  return all;
}
