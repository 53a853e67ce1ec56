import { z } from 'zod'

/** Problems of a gateway, in the order in which they are reported. */
export const READINESS_DETAILS = ['ending', 'databaseAway', 'writesFail', 'brokerAway', 'busAway'] as const
export type ReadinessDetail = (typeof READINESS_DETAILS)[number]

/**
 * Missing redundancy of a gateway that may be one of several, in reporting order. Everything works, but the next failure will cause
 * an outage: no other gateway runs; fewer than three NATS nodes are reachable; no standby database has all acknowledged data.
 */
export const READINESS_WARNINGS = ['noOtherGateway', 'fewBusNodes', 'noSyncStandby'] as const
export type ReadinessWarning = (typeof READINESS_WARNINGS)[number]

/**
 * Answer of GET /health/ready: status 200 if the gateway accepts calls, otherwise 503. Not every detail causes 503: if no gateway
 * can reach the database, all of them still accept calls.
 */
export const Readiness = z.object({
  ready: z.boolean(),
  database: z.boolean(),
  /** Whether writes succeed; false if the disk is full, or the database is read-only or unreachable. */
  writes: z.boolean(),
  /** Whether the MQTT broker passes messages. */
  broker: z.boolean(),
  details: z.array(z.enum(READINESS_DETAILS)),
  /** Empty for a gateway meant to run alone, and for checks whose result is unknown. */
  warnings: z.array(z.enum(READINESS_WARNINGS)).default([]),
})
export type Readiness = z.infer<typeof Readiness>

/** Answer of GET /health/live: the process is running; `version` is that of the product. */
export const Liveness = z.object({ live: z.literal(true), version: z.string() })
export type Liveness = z.infer<typeof Liveness>
