import fc from "fast-check";
import { expect, it } from "vitest";
import { nearest } from "./nearest.js";

it.each([
  ["storge", ["name", "storage", "schema"], "storage"],
  ["NMAE", ["name", "storage"], "name"],
  ["customer_spned", ["customer_spend", "customers"], "customer_spend"],
  ["orders", ["orders", "order"], "orders"],
  ["a", ["b"], undefined],
  ["id", ["no", "qty"], undefined],
  ["colour", ["size", "weight"], undefined],
  ["", ["a"], undefined],
  ["x", [], undefined],
])("nearest to %s in %j is %s", (word, candidates, expected) => {
  expect(nearest(word, candidates)).toBe(expected);
});

it("finds a word with one letter dropped, doubled, swapped or changed", () => {
  const word = fc.stringMatching(/^[a-z]{4,12}$/);
  fc.assert(
    fc.property(word, fc.nat(11), fc.constantFrom("drop", "double", "swap", "change"), (right, at, fault) => {
      const i = at % right.length;
      const [head, letter, tail] = [right.slice(0, i), right[i] ?? "", right.slice(i + 1)];
      const wrong = {
        drop: head + tail,
        double: head + letter + letter + tail,
        swap: head + tail.slice(0, 1) + letter + tail.slice(1),
        change: `${head}#${tail}`,
      };
      expect(nearest(wrong[fault], ["0123456789", right])).toBe(right);
    }),
  );
});
