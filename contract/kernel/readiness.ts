import { z } from 'zod'

/** What is wrong with a gateway, in the order in which it is told. */
export const READINESS_DETAILS = ['ending', 'databaseAway', 'writesFail', 'brokerAway', 'busAway'] as const
export type ReadinessDetail = (typeof READINESS_DETAILS)[number]

/**
 * What a gateway that may have others lacks, in the order in which it is told. Nothing is wrong yet, but the next failure will be felt:
 * nobody else is there; of NATS fewer nodes than three can be reached; no standby of the database has all that was acknowledged.
 */
export const READINESS_WARNINGS = ['noOtherGateway', 'fewBusNodes', 'noSyncStandby'] as const
export type ReadinessWarning = (typeof READINESS_WARNINGS)[number]

/**
 * What GET /health/ready answers: with 200 while the gateway wants to be called, else with 503. Not every detail keeps it from that: while
 * no gateway has the database each is still one to call.
 */
export const Readiness = z.object({
  ready: z.boolean(),
  /** Whether the database answers. */
  database: z.boolean(),
  /** Whether what is written is stored: not while the disk is full, the database is read-only, or away. */
  writes: z.boolean(),
  /** Whether messages flow. */
  broker: z.boolean(),
  details: z.array(z.enum(READINESS_DETAILS)),
  /** Empty for a gateway that is to be alone, and of what is not known. */
  warnings: z.array(z.enum(READINESS_WARNINGS)).default([]),
})
export type Readiness = z.infer<typeof Readiness>
