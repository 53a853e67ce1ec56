/** Keys of advisory locks. They share one key space, so each must be unique. */
export const ADVISORY_LOCKS = {
  /** Locked while the schema is changed. */
  migrations: 7_240_315_001,
  /** Locked while a partition is created. */
  partitions: 7_240_315_002,
  /** Locked by each gateway as long as it uses the database. */
  gateways: 7_240_315_003,
} as const
