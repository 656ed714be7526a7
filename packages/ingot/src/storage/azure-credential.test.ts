import { expect, it } from "vitest";
import { azureCredential } from "./azure-credential.js";

const CONNECTION = "DefaultEndpointsProtocol=https;AccountName=mine;AccountKey=k==;EndpointSuffix=core.windows.net";
const SAS_CONNECTION = "BlobEndpoint=https://mine.blob.core.windows.net;SharedAccessSignature=sv=1&sig=x";

it.each([
  [{}, { kind: "identity" }],
  [{ AZURE_STORAGE_KEY: "" }, { kind: "identity" }],
  [{ AZURE_STORAGE_KEY: "k" }, { kind: "key", secret: "k" }],
  [
    { AZURE_STORAGE_KEY: "k", AZURE_STORAGE_ACCOUNT: "mine" },
    { kind: "key", secret: "k" },
  ],
  [{ AZURE_STORAGE_KEY: "k", AZURE_STORAGE_ACCOUNT: "other" }, { kind: "identity" }],
  [{ AZURE_STORAGE_SAS_TOKEN: "?sv=1&sig=x" }, { kind: "SAS token", secret: "sv=1&sig=x" }],
  [{ AZURE_STORAGE_CONNECTION_STRING: CONNECTION }, { kind: "connection string", secret: CONNECTION }],
  [{ AZURE_STORAGE_CONNECTION_STRING: SAS_CONNECTION }, { kind: "connection string", secret: SAS_CONNECTION }],
  [{ AZURE_STORAGE_CONNECTION_STRING: CONNECTION.replace("mine", "other") }, { kind: "identity" }],
  [{ AZURE_STORAGE_CONNECTION_STRING: SAS_CONNECTION, AZURE_STORAGE_ACCOUNT: "other" }, { kind: "identity" }],
])("of %j for the account `mine` is %j", (environment, credential) => {
  expect(azureCredential(environment, "mine")).toEqual(credential);
});
