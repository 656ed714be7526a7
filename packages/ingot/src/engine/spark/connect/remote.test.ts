import { expect, it } from "vitest";
import { parseRemote } from "./remote.js";

// Rules and first three strings: Spark's docs/client-connection-string.md.
it.each([
  ["sc://localhost", { baseUrl: "http://localhost:15002", headers: {} }],
  [
    "sc://myhost.com:443/;use_ssl=true;token=ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    { baseUrl: "https://myhost.com:443", token: "ABCDEFGHIJKLMNOPQRSTUVWXYZ", headers: {} },
  ],
  ["sc://myhost.com:443/;token=ABC", { baseUrl: "https://myhost.com:443", token: "ABC", headers: {} }],
  ["sc://h:1/;token=a;use_ssl=false", { baseUrl: "http://h:1", token: "a", headers: {} }],
  ["sc://[::1]:7/", { baseUrl: "http://[::1]:7", headers: {} }],
  [
    "sc://h/;user_id=u;user_agent=a;session_id=s;x-databricks-cluster-id=1%3B2=3",
    {
      baseUrl: "http://h:15002",
      userId: "u",
      userAgent: "a",
      sessionId: "s",
      headers: { "x-databricks-cluster-id": "1;2=3" },
    },
  ],
])("reads %s", (text, remote) => {
  expect(parseRemote(text)).toEqual(remote);
});

it.each([
  "",
  "http://h",
  "sc://",
  "sc://h:x",
  "sc://h:70000",
  "sc://h/path",
  "sc://h/;token",
  "sc://h/;token=",
  "sc://h/;token=%zz",
  "sc://h/;use_ssl=yes",
])("refuses %s", (text) => {
  expect(() => parseRemote(text)).toThrow(expect.objectContaining({ code: "INVALID_CONNECT_URL" }));
});

it("never repeats what may be a token", () => {
  expect(() => parseRemote("sc://h/;token=geheim;geheim")).toThrow(
    expect.objectContaining({ message: expect.not.stringContaining("geheim") }),
  );
});
