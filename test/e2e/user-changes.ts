/** The changes of Databricks' documentation (ldp/cdc): one batch, in this order. */
export const USER_HEADER = "userId,name,city,operation,sequenceNum";
export const USER_CHANGES: readonly string[] = [
  "124,Raul,Oaxaca,INSERT,1",
  "123,Isabel,Monterrey,INSERT,1",
  "125,Mercedes,Tijuana,INSERT,2",
  "126,Lily,Cancun,INSERT,2",
  "123,,,DELETE,6",
  "125,Mercedes,Guadalajara,UPDATE,6",
  "125,Mercedes,Mexicali,UPDATE,5",
  "123,Isabel,Chihuahua,UPDATE,5",
];
