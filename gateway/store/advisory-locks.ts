/** Numbers of the locks that gateways of one database meet on: any fixed ones, no two the same. */
export const ADVISORY_LOCKS = {
  /** While the database is migrated. */
  migrating: 7_240_315_001,
  /** For as long as a gateway works on the database; those that have a bus share it. */
  gateway: 7_240_315_002,
  /** While the partition of a month is made. */
  partitions: 7_240_315_003,
} as const
