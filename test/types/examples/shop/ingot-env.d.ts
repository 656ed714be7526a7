// Written by `ingot types` from the project's definitions and tables. Commit it; do not edit it.
import "ingot";

declare module "ingot" {
  interface Tables {
    bronze_orders: {
      order_id: "BIGINT";
      customer_id: "STRING";
      status: "STRING";
      amount: "DECIMAL(10,2)";
      updated_at: "TIMESTAMP";
      _bad: "STRING";
      source_file: "STRING";
      loaded_at: "TIMESTAMP";
    };
    orders: {
      order_id: "BIGINT";
      customer_id: "STRING";
      status: "STRING";
      amount: "DECIMAL(10,2)";
      updated_at: "TIMESTAMP";
    };
    customer_spend: { customer_id: "STRING"; orders: "BIGINT"; spend: "DECIMAL(20,2)" };
    "sap.silver.silver_sd_sales_order": {
      mandt_vbak: "STRING";
      vbeln_vbak: "STRING";
      posnr_vbap: "STRING";
      matnr_vbap: "STRING";
      vdatu_vbak: "STRING";
      gbstk_vbak: "STRING";
      event_ts: "TIMESTAMP";
    };
  }
  interface Configuration {
    config_path: string;
    landing: string;
  }
}
