// A helper module: it declares nothing, it makes values.
import { expectAllOrFail, expectOrQuarantine } from "ingot";

export const financeRules = [
  expectOrQuarantine("valid_pk", "mandt IS NOT NULL AND bukrs IS NOT NULL AND belnr IS NOT NULL", {
    status: "INVALID_PRIMARY_KEY",
  }),
  expectOrQuarantine("valid_amount", "try_cast(dmbtr AS DECIMAL(15,2)) IS NOT NULL", { status: "MALFORMED_AMOUNT" }),
  expectOrQuarantine("valid_posting_date", "try_sap_date(budat) IS NOT NULL", { status: "INVALID_POSTING_DATE" }),
  expectAllOrFail({ known_operation: "odq_changemode IN ('C', 'I', 'U', 'D', '')" }),
];
