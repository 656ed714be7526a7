import { expect, it } from "vitest";
import { remember } from "./remember.js";

it("computes once for a text, and keeps no more than some hundred", () => {
  const asked: string[] = [];
  const compute = remember((text) => {
    asked.push(text);
    return { text };
  });
  expect(compute("a")).toBe(compute("a"));
  expect(asked).toEqual(["a"]);
  for (let i = 0; i < 1000; i++) compute(String(i));
  expect(compute("a")).toEqual({ text: "a" });
  expect(asked.filter((text) => text === "a")).toHaveLength(2);
});

it("does not keep a failure", () => {
  let calls = 0;
  const compute = remember((text) => {
    calls += 1;
    throw new Error(text);
  });
  expect(() => compute("x")).toThrow("x");
  expect(() => compute("x")).toThrow("x");
  expect(calls).toBe(2);
});
