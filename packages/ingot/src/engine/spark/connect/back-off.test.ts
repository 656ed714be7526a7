import { expect, it } from "vitest";
import { BackOff } from "./back-off.js";

const { signal } = new AbortController();

it("pauses until the patience is at its end, and anew when something was heard", async () => {
  const backOff = new BackOff(100);
  // 50 ms and 100 ms.
  expect([await backOff.pause(signal), await backOff.pause(signal), await backOff.pause(signal)]).toEqual([
    true,
    true,
    false,
  ]);
  backOff.reset();
  expect(await backOff.pause(signal)).toBe(true);
});

it("ends with the signal", async () => {
  const stop = new AbortController();
  const pause = new BackOff(60_000).pause(stop.signal);
  stop.abort();
  await expect(pause).rejects.toMatchObject({ code: "INTERRUPTED" });
});
