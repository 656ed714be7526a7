import type { TextPage } from "../files/parquet-texts.js";
import type { AddFile, DeletionVector, TextMap } from "../log/actions.js";

/**
 * A file of a checkpoint whose statistics stay in the checkpoint's page until they are asked for. Spreading asks. Its
 * fields are written out one by one, and the accessor comes last: 100,000 of them stay fast objects of one shape.
 */
export class StoredFile implements AddFile {
  readonly path: string;
  readonly uri: string;
  readonly partitionValues: TextMap;
  readonly size: number;
  readonly modificationTime: number;
  readonly dataChange: boolean;
  readonly tags: TextMap | undefined;
  readonly deletionVector: DeletionVector | undefined;
  readonly baseRowId: bigint | undefined;
  readonly defaultRowCommitVersion: bigint | undefined;
  readonly clusteringProvider: string | undefined;
  declare readonly stats: string;
  readonly #page: TextPage;
  readonly #place: number;

  /** @param place of the statistics in the page */
  constructor(file: AddFile, page: TextPage, place: number) {
    this.path = file.path;
    this.uri = file.uri;
    this.partitionValues = file.partitionValues;
    this.size = file.size;
    this.modificationTime = file.modificationTime;
    this.dataChange = file.dataChange;
    this.tags = file.tags;
    this.deletionVector = file.deletionVector;
    this.baseRowId = file.baseRowId;
    this.defaultRowCommitVersion = file.defaultRowCommitVersion;
    this.clusteringProvider = file.clusteringProvider;
    this.#page = page;
    this.#place = place;
    Object.defineProperty(this, "stats", StoredFile.#STATS);
  }

  /** Own and enumerable, so that it is as good as a field. */
  static readonly #STATS: PropertyDescriptor & ThisType<StoredFile> = {
    enumerable: true,
    get() {
      return this.#page.text(this.#place);
    },
  };
}
