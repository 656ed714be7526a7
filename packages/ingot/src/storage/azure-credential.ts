import type { Environment } from "./environment.js";

/** How an account is opened. */
export type AzureCredential =
  | { readonly kind: "connection string" | "key" | "SAS token"; readonly secret: string }
  | { readonly kind: "identity" };

/**
 * What the variables hold for an account; they are the Azure CLI's. A secret of another account is never sent: the one
 * that `AZURE_STORAGE_ACCOUNT` names, or the connection string itself.
 */
export function azureCredential(environment: Environment, account: string): AzureCredential {
  const meant = environment["AZURE_STORAGE_ACCOUNT"];
  if (meant !== undefined && meant !== account) return { kind: "identity" };
  const connection = environment["AZURE_STORAGE_CONNECTION_STRING"];
  const connected = /(?:^|;)\s*AccountName=([^;]+)/i.exec(connection ?? "")?.[1] ?? account;
  if (connection && connected === account) return { kind: "connection string", secret: connection };
  const [key, token] = [environment["AZURE_STORAGE_KEY"], environment["AZURE_STORAGE_SAS_TOKEN"]];
  if (key) return { kind: "key", secret: key };
  if (token) return { kind: "SAS token", secret: token.replace(/^\?/, "") };
  return { kind: "identity" };
}
