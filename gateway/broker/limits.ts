import { DISCONNECTED_AFTER, type MalformedLimits, SLOWED_AFTER } from '../lib/payloads/malformed-senders.ts'
import type { IntakeLimits } from './inbound-queue.ts'

/** Limits of the embedded broker; each has a default. */
export interface BrokerLimits extends IntakeLimits {
  packetBytes: number
  connections: number
  connectionsPerAddress: number
  /** Maximum number of filters of one connection: a home or hub that a topic names need not exist. */
  subscriptions: number
  /** Time for a new connection's CONNECT, in ms. */
  connectTimeoutMs: number
  /** Maximum keep-alive in seconds; 0 (never) is refused. */
  maxKeepaliveSeconds: number
  /** Maximum unread bytes of a slow reader before it loses messages (QoS 0) or its connection (QoS 1). */
  maxUnreadBytes: number
  /** Malformed messages of one hub, scanner or person. */
  malformed: MalformedLimits
}

/** Default limits. */
export const LIMITS: BrokerLimits = {
  maxConcurrent: 2_000,
  maxConcurrentPerClient: 500,
  maxQueued: 100_000,
  rate: { hub: 500, screen: 200, burstSeconds: 4 },
  packetBytes: 1024 * 1024,
  connections: 20_000,
  connectionsPerAddress: 10_000,
  subscriptions: 50_000,
  connectTimeoutMs: 10_000,
  maxKeepaliveSeconds: 1_200,
  maxUnreadBytes: 1024 * 1024,
  malformed: { slowedAfter: SLOWED_AFTER, disconnectedAfter: DISCONNECTED_AFTER },
}

/** Time between the notice that a person's rights or sign-in ended and the end of the connection, in ms. */
export const DISCONNECT_NOTICE_MS = 1_000
