import { expect, it } from "vitest";
import { interopPage } from "../interop/matrix/report.js";

// Written anew by `npx vitest run test/docs -u`; that the entries are true is checked by test/interop/matrix.

it("docs/delta-interop.md is the matrix's lists", async () => {
  await expect(interopPage()).toMatchFileSnapshot("../../docs/delta-interop.md");
});
