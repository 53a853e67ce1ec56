/** What connections lock by a number of their own. They share one space of numbers, so no two may be the same. */
export const ADVISORY_LOCKS = {
  /** Held while the schema is changed. */
  migrations: 7_240_315_001,
  /** Held while a partition is made. */
  partitions: 7_240_315_002,
  /** Held by each gateway as long as it works on the database. */
  gateways: 7_240_315_003,
} as const
