import { type FileHandle, open } from "node:fs/promises";
import type { CompletedPart, S3Client } from "@aws-sdk/client-s3";

/** S3 takes parts from 5 MiB on, and 10,000 of them at most. */
const PART = 16 * 2 ** 20;
const MOST_PARTS = 10_000;
const PARTS_AT_ONCE = 4;

/** Puts a local file into a bucket; in parts, several at once, where it is large. A failure leaves no parts behind. */
export async function uploadToS3(
  sdk: typeof import("@aws-sdk/client-s3"),
  client: S3Client,
  localPath: string,
  Bucket: string,
  Key: string,
): Promise<void> {
  const file = await open(localPath, "r");
  try {
    const { size } = await file.stat();
    if (size <= PART) {
      const Body = await readPart(file, localPath, 0, size);
      await client.send(new sdk.PutObjectCommand({ Bucket, Key, Body }));
      return;
    }
    const { UploadId } = await client.send(new sdk.CreateMultipartUploadCommand({ Bucket, Key }));
    try {
      const partSize = Math.max(PART, Math.ceil(size / MOST_PARTS));
      const Parts = await inParts(Math.ceil(size / partSize), async (index) => {
        const start = index * partSize;
        const Body = await readPart(file, localPath, start, Math.min(partSize, size - start));
        const PartNumber = index + 1;
        const { ETag } = await client.send(new sdk.UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body }));
        return { PartNumber, ETag };
      });
      await client.send(new sdk.CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } }));
    } catch (error) {
      // Parts that stay cost money until the bucket's own rule removes them; the first error matters more.
      await client.send(new sdk.AbortMultipartUploadCommand({ Bucket, Key, UploadId })).catch(() => undefined);
      throw error;
    }
  } finally {
    await file.close();
  }
}

/** Some parts at a time. After a failure none begins, and the error comes when those under way are over. */
async function inParts(count: number, send: (index: number) => Promise<CompletedPart>): Promise<CompletedPart[]> {
  const parts: CompletedPart[] = [];
  let next = 0;
  const senders = Array.from({ length: PARTS_AT_ONCE }, async () => {
    while (next < count) {
      const index = next++;
      try {
        parts[index] = await send(index);
      } catch (error) {
        next = count;
        throw error;
      }
    }
  });
  const failed = (await Promise.allSettled(senders)).find((outcome) => outcome.status === "rejected");
  if (failed !== undefined) throw failed.reason;
  return parts;
}

async function readPart(file: FileHandle, path: string, start: number, length: number): Promise<Buffer> {
  const part = Buffer.alloc(length);
  for (let filled = 0; filled < length; ) {
    const { bytesRead } = await file.read(part, filled, length - filled, start + filled);
    if (bytesRead === 0) throw new Error(`${path} became shorter while it was uploaded`);
    filled += bytesRead;
  }
  return part;
}
