import { expectOrQuarantine, sql } from "ingot";

/** What a line of finance has to keep to be loaded; what breaks a rule is set aside whole, under the rule's status. */

/** No part of the key is missing: the client, the company code and the document number above all. */
export const validKey = (keys: readonly string[]) =>
  expectOrQuarantine("valid_key", keys.map((key) => `trim(${key}) <> ''`).join(" AND "), {
    status: "INVALID_PRIMARY_KEY",
  });

/** Amounts are readable as DECIMAL(15,2), with SAP's minus behind the number or without. */
export const validAmounts = (amounts: readonly string[]) =>
  expectOrQuarantine(
    "valid_amount",
    amounts.map((amount) => `sap_number_reason(${amount}, 15, 2) IS NULL`).join(" AND "),
    { status: "MALFORMED_AMOUNT" },
  );

/** The posting date is a day of the calendar: 20230231 is eight digits and none. */
export const validPostingDate = expectOrQuarantine("valid_posting_date", "sap_posting_date_reason(budat) IS NULL", {
  status: "INVALID_POSTING_DATE",
});

/** An amount without a currency says nothing: SAP's codes are three to five capital letters. */
export const validCurrency = (currencies: readonly string[]) =>
  expectOrQuarantine(
    "valid_currency",
    sql.join(
      currencies.map((currency) => sql`${sql.id(currency)} RLIKE '^[A-Z]{3,5}$'`),
      sql` AND `,
    ),
    { status: "CURRENCY_ANOMALY" },
  );
