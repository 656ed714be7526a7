/** How much there is of everything, for one client. */
export interface Volumes {
  readonly customers: number;
  readonly suppliers: number;
  readonly materials: number;
  readonly plants: number;
  readonly storageLocations: number;
  readonly salesOrders: number;
  readonly purchaseOrders: number;
  /** Documents posted in accounting itself, of four lines in the mean: what logistics posts comes on top. */
  readonly accountingDocuments: number;
  /** Rows that change in a day, in the mean. */
  readonly changesPerDay: number;
  /** Days of history before the start. */
  readonly history: number;
}

export const SCALES = {
  tiny: {
    customers: 10,
    suppliers: 6,
    materials: 20,
    plants: 2,
    storageLocations: 4,
    salesOrders: 40,
    purchaseOrders: 20,
    accountingDocuments: 30,
    changesPerDay: 200,
    history: 120,
  },
  small: {
    customers: 500,
    suppliers: 100,
    materials: 1_000,
    plants: 5,
    storageLocations: 15,
    salesOrders: 5_000,
    purchaseOrders: 2_000,
    accountingDocuments: 7_000,
    changesPerDay: 50_000,
    history: 400,
  },
  medium: {
    customers: 20_000,
    suppliers: 3_000,
    materials: 50_000,
    plants: 30,
    storageLocations: 120,
    salesOrders: 500_000,
    purchaseOrders: 200_000,
    accountingDocuments: 1_800_000,
    changesPerDay: 5_000_000,
    history: 730,
  },
} as const satisfies Readonly<Record<string, Volumes>>;

export type ScaleName = keyof typeof SCALES;

/** @param scale a name, or about how many lines accounting has, with all else in the proportions of `medium` */
export function volumesOf(scale: ScaleName | number): Volumes {
  if (typeof scale !== "number") return SCALES[scale];
  const { medium } = SCALES;
  const part = (count: number, least: number) => Math.max(least, Math.round((count * scale) / 10_000_000));
  return {
    customers: part(medium.customers, 10),
    suppliers: part(medium.suppliers, 6),
    materials: part(medium.materials, 20),
    plants: part(medium.plants, 2),
    storageLocations: part(medium.storageLocations, 4),
    salesOrders: part(medium.salesOrders, 10),
    purchaseOrders: part(medium.purchaseOrders, 10),
    accountingDocuments: part(medium.accountingDocuments, 10),
    changesPerDay: part(medium.changesPerDay, 50),
    history: medium.history,
  };
}
