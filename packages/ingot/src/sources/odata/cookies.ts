/** The cookies of one host: SAP keeps a paged read together by them. */
export class Cookies {
  readonly #values = new Map<string, string>();

  take(headers: Headers): void {
    for (const line of headers.getSetCookie()) {
      const [, name, value = ""] = /^\s*([^=;\s]+)=([^;]*)/.exec(line) ?? [];
      if (name === undefined) continue;
      if (value === "" || /;\s*max-age=(?:0|-\d+)\s*(?:;|$)/i.test(line)) this.#values.delete(name);
      else this.#values.set(name, value);
    }
  }

  /** What goes into the header `cookie`; undefined where there are none. */
  header(): string | undefined {
    if (this.#values.size === 0) return undefined;
    return [...this.#values].map(([name, value]) => `${name}=${value}`).join("; ");
  }
}
