import { config, readFiles } from "ingot";
import { sapTable } from "ingot/sap";

/** First load and changes of a table. Transaction, unit and record say which change is newer, whatever file brings it. */
const landed = (table: string) =>
  ({
    from: readFiles(`${config("landing")}/{initial,cdc}/${table}*`, {
      format: "csv",
      header: true,
      columnNameOfCorruptRecord: "_bad",
      options: { multiLine: true },
    }),
    changeFormat: "odq",
    columns: "typed",
    sequenceBy: ["ODQ_TSN", "ODQ_UNITNO", "ODQ_RECORDNO"],
  }) as const;

export const vbak = sapTable("VBAK", { ...landed("VBAK"), comment: "Sales order headers" });
export const vbap = sapTable("VBAP", { ...landed("VBAP"), comment: "Sales order items" });
export const vbpa = sapTable("VBPA", { ...landed("VBPA"), comment: "Partners of sales orders" });
export const vbkd = sapTable("VBKD", { ...landed("VBKD"), comment: "Business data of sales orders" });
export const vbfa = sapTable("VBFA", { ...landed("VBFA"), comment: "What followed sales orders and deliveries" });
export const vbuk = sapTable("VBUK", { ...landed("VBUK"), comment: "Statuses of documents" });
export const vbup = sapTable("VBUP", { ...landed("VBUP"), comment: "Statuses of items" });
export const makt = sapTable("MAKT", { ...landed("MAKT"), comment: "Names of materials, by language" });
export const kna1 = sapTable("KNA1", { ...landed("KNA1"), comment: "Customers" });
