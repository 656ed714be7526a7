/** What is read out of patterns that are no constants would else grow with the table. */
const MOST = 200;

/** The same function, which keeps what it gave for the last texts. What it throws is not kept. */
export function remember<T>(compute: (text: string) => T): (text: string) => T {
  const kept = new Map<string, T>();
  return (text) => {
    const known = kept.get(text);
    if (known !== undefined) return known;
    const value = compute(text);
    if (kept.size >= MOST) kept.clear();
    kept.set(text, value);
    return value;
  };
}
