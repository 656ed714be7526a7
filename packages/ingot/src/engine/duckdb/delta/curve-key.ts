import { curveBits } from "@ingot/delta";

/**
 * SQL that adds the column `key` BIGINT to a relation with the columns `r0`, `r1`, … BIGINT: the place of these ranks on
 * the curve, as `hilbertKey` and `zOrderKey` of the Delta library give it. Each step of the Hilbert curve is a
 * projection of its own: in one expression the terms would double at each step.
 */
export function withCurveKey(relation: string, curve: "hilbert" | "z-order", columns: number): string {
  const bits = curveBits(columns);
  const ranks = Array.from({ length: columns }, (_, i) => `r${i}`);
  const steps = curve === "hilbert" && columns > 1 ? hilbertSteps(ranks, bits) : [];
  const axes = steps.reduce((rows, values) => `SELECT * REPLACE (${values.join(", ")}) FROM (${rows})`, relation);
  return `SELECT *, ${interleaved(ranks, bits)} AS key FROM (${axes})`;
}

function interleaved(ranks: readonly string[], bits: number): string {
  const terms: string[] = [];
  let place = bits * ranks.length;
  for (let bit = bits - 1; bit >= 0; bit -= 1)
    for (const rank of ranks) terms.push(`(((${rank} >> ${bit}) & 1) << ${--place})`);
  return terms.join(" | ");
}

/** Source: J. Skilling, "Programming the Hilbert curve", AIP Conference Proceedings 707 (2004). */
function hilbertSteps(axes: readonly string[], bits: number): string[][] {
  const steps: string[][] = [];
  const [first = "", last = ""] = [axes[0], axes.at(-1)];
  for (let high = 2 ** (bits - 1); high > 1; high /= 2) {
    const low = high - 1;
    for (const axis of axes) {
      const isBehind = `(${axis} & ${high}) <> 0`;
      if (axis === first) {
        steps.push([`CASE WHEN ${isBehind} THEN xor(${first}, ${low}) ELSE ${first} END AS ${first}`]);
        continue;
      }
      const exchanged = `xor(${first}, ${axis}) & ${low}`;
      steps.push([
        `CASE WHEN ${isBehind} THEN xor(${first}, ${low}) ELSE xor(${first}, ${exchanged}) END AS ${first}`,
        `CASE WHEN ${isBehind} THEN ${axis} ELSE xor(${axis}, ${exchanged}) END AS ${axis}`,
      ]);
    }
  }
  for (const [i, axis] of axes.entries()) if (i > 0) steps.push([`xor(${axis}, ${axes[i - 1]}) AS ${axis}`]);
  const flips = Array.from({ length: bits - 1 }, (_, i) => 2 ** (bits - 1 - i));
  const flip = flips.reduce(
    (sql, high) => `xor(${sql}, CASE WHEN (${last} & ${high}) <> 0 THEN ${high - 1} ELSE 0 END)`,
    "0",
  );
  steps.push(axes.map((axis) => `xor(${axis}, ${flip}) AS ${axis}`));
  return steps;
}
