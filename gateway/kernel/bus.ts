import { z } from 'zod'

/** Scope of a message: a home, or a company as a whole. */
export interface BusMessageType {
  tenant: string
  homeId: string | null
}

const Id = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/)

/** Message for screens or hubs at another gateway. */
export const BusMessage = z.object({
  Topic: z.string().min(1).max(1024),
  Payload: z.unknown(),
  Qos: z.union([z.literal(0), z.literal(1)]),
})
export type BusMessage = z.infer<typeof BusMessage>

/** Request to another gateway: carry out a stored command. It only names the row, which contains the details. */
export const BusRequest = z.object({
  carry: z.object({
    tenant: Id,
    RequestID: z.string().max(200),
    PeripheralUID: z.string().max(200),
    HomeID: z.string().max(200),
    ThingName: Id,
    RequestedAt: z.number().int(),
    ExpiresIn: z.number().min(0).optional(),
  }),
})
export type BusRequest = z.infer<typeof BusRequest>

export const BusResponse = z.object({ carried: z.enum(['sent', 'notHere', 'gone', 'unavailable']) })
export type BusResponse = z.infer<typeof BusResponse>

/** Notice to the other gateways, or to one of them. Unknown kinds and fields belong to later versions. */
export const BusNotice = z.union([
  /** Heartbeat with consecutive numbers: a receiver that misses one may have missed messages. Hubs is the number of connected hubs. */
  z.object({
    beat: z.object({
      No: z.number().int().min(1),
      Database: z.boolean(),
      Hubs: z.number().int().min(0).optional(),
    }),
  }),
  /** Interests of its screens; All means that these are the complete set. */
  z.object({
    wants: z.object({
      Add: z.array(z.string().max(140)),
      Remove: z.array(z.string().max(140)),
      All: z.boolean().optional(),
    }),
  }),
  /** Takeover: a client of the receiving gateway is now connected elsewhere. */
  z.object({
    took: z.object({ ThingName: Id, No: z.number().int(), Newer: z.number().int() }),
  }),
  /** Message for hubs: for one that is connected there, or for those of a home. */
  z.object({ toHubs: BusMessage }),
  /** Invalidates cached data on these devices of a company, or on all of them. */
  z.object({ forget: z.object({ tenant: Id, uids: z.array(z.string().max(200)).nullable() }) }),
])
export type BusNotice = z.infer<typeof BusNotice>

export interface BusHandlers {
  onRequest(request: BusRequest): Promise<BusResponse>
  onNotice(notice: BusNotice): void
  onMessage(message: BusMessage): void
  /** Messages may be missing since `since`, epoch ms; with `isOver`, they may have been missing until now. */
  onGap(gap: { since: number; isOver: boolean }): void
}

/** No such receiver; no answer in time; this gateway is disconnected. */
export type RequestFailure = 'nobody' | 'silent' | 'away'

/** Communication between gateways. Nothing is stored, and any message may be lost: what must be reliable is a database row. */
export interface Bus {
  start(handlers: BusHandlers): Promise<void>
  /** Publishes to interested gateways; never waits, never throws. */
  publish(key: BusMessageType, message: BusMessage): void
  /** Adds or removes the interest of a local screen; counted. Resolves once other gateways know it, or after a timeout. */
  setInterest(key: BusMessageType, isInterested: boolean): Promise<void>
  /** Whether a screen at another gateway is interested; may be true for up to 20 s too long. */
  isWantedElsewhere(key: BusMessageType): boolean
  /** Whether a local interest is so recent that another gateway may not know it yet. */
  isNewInterest(key: BusMessageType): boolean
  /** Sends a notice to all other gateways, or to one; never throws. */
  sendNotice(notice: BusNotice, gateway?: string): void
  request(gateway: string, request: BusRequest, ms: number): Promise<BusResponse | RequestFailure>
  /** Whether this gateway is connected to the bus. */
  isUp(): boolean
  /** Whether any reachable gateway has recently reached the database. */
  othersReachDatabase(): boolean
  /** Number of hubs at each other gateway; undefined while one is unreachable or does not report it. */
  remoteHubCounts(): readonly number[] | undefined
  /** Ongoing gap, if any. */
  currentGap(): { since: number } | undefined
  /** State of the underlying network; undefined if it has no nodes. */
  transportState(): TransportState | undefined
  close(): Promise<void>
}

/** State of the network below the bus. */
export interface TransportState {
  /** Number of configured and of reachable nodes; undefined while unknown. */
  nodes: { configured: number; reachable: number } | undefined
  /** Bytes published but not yet confirmed. */
  pending: number
}

/** Transport of bytes between gateways. */
export interface Transport {
  /** Resolves immediately: an unavailable network is retried indefinitely. */
  start(handlers: {
    onMessage(subject: string, bytes: Uint8Array, reply: string | undefined): void
    /** Called when the network becomes available or unavailable. */
    onStateChange(isUp: boolean): void
  }): Promise<void>
  subscribe(subject: string): void
  unsubscribe(subject: string): void
  /** Returns false if the message was dropped: the network is unavailable or too slow. */
  publish(subject: string, bytes: Uint8Array): boolean
  /** Bytes of the first answer. */
  request(subject: string, bytes: Uint8Array, ms: number): Promise<Uint8Array | RequestFailure>
  /** Resolves when the network has received all publications and subscriptions, or after a timeout. */
  flush(ms: number): Promise<void>
  isUp(): boolean
  /** Omitted by a transport without nodes. */
  readState?(): TransportState
  close(): Promise<void>
}
