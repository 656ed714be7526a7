/** Markets of the planning system, with their bias: some always plan too much, or too little. */
export const MARKETS = [
  { id: "DE", name: "Germany", region: "EMEA", latitude: "51.165700", longitude: "10.451500", bias: 100 },
  { id: "FR", name: "France", region: "EMEA", latitude: "46.227600", longitude: "2.213700", bias: 120 },
  { id: "US", name: "United States", region: "AMER", latitude: "37.090200", longitude: "-95.712900", bias: 85 },
  { id: "JP", name: "Japan", region: "APAC", latitude: "36.204800", longitude: "138.252900", bias: 100 },
] as const;
export type Market = (typeof MARKETS)[number];
