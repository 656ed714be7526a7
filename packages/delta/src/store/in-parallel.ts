/**
 * Does something with every item, so many at a time; the results stand in the items' order. After a failure none
 * begins any more, and the error comes when those under way are over.
 */
export async function inParallel<T, R>(
  items: readonly T[],
  atOnce: number,
  act: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const waiting = items.entries();
  let failed = false;
  const workers = Array.from({ length: Math.min(atOnce, items.length) }, async () => {
    for (const [index, item] of waiting) {
      if (failed) return;
      try {
        results[index] = await act(item, index);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  });
  const failure = (await Promise.allSettled(workers)).find((outcome) => outcome.status === "rejected");
  if (failure !== undefined) throw failure.reason;
  return results;
}
