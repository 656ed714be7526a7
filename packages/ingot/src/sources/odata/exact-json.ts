/** Strings, which stay as they are, and the numbers between them. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/g;

/**
 * The value of a JSON text in which each number is the text that stands there: `12.50` is "12.50", and no digit of a long
 * one is lost.
 *
 * @throws SyntaxError for what is no JSON, as a text that was cut off
 */
export function parseExactJson(text: string): unknown {
  // Quotes would make JSON of some texts that are none.
  JSON.parse(text);
  return JSON.parse(text.replace(TOKENS, (token) => (token.startsWith('"') ? token : `"${token}"`)));
}
