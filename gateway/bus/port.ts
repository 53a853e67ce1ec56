import { z } from 'zod'

/** News of a home, or of a company as a whole. */
export interface BusMessageType {
  tenant: string
  homeId: string | null
}

const Id = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/)

/** A message for screens, or for hubs, of another gateway. */
export const BusMessage = z.object({
  Topic: z.string().min(1).max(1024),
  Payload: z.unknown(),
  Qos: z.union([z.literal(0), z.literal(1)]),
})
export type BusMessage = z.infer<typeof BusMessage>

/** What one gateway asks of another: to carry out a command that it has stored. It names the row; what is done stands there. */
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

/** What one gateway tells the others, or one of them. Kinds and fields that are not known here are those of a later version. */
export const BusNotice = z.union([
  /** A sign of life, numbered without a gap: who misses one may have missed news. Hubs is how many are connected to it. */
  z.object({
    beat: z.object({
      No: z.number().int().min(1),
      Database: z.boolean(),
      Hubs: z.number().int().min(0).optional(),
    }),
  }),
  /** What its screens want to hear of; All says that they want nothing else. */
  z.object({
    wants: z.object({
      Add: z.array(z.string().max(140)),
      Remove: z.array(z.string().max(140)),
      All: z.boolean().optional(),
    }),
  }),
  /** A client of it is connected elsewhere by now. */
  z.object({
    took: z.object({ ThingName: Id, No: z.number().int(), Newer: z.number().int() }),
  }),
  /** A message for hubs: for one that is connected to it, or for those of a home. */
  z.object({ toHubs: BusMessage }),
  /** What is known of these devices of a company, or of all of them, is old. */
  z.object({ forget: z.object({ tenant: Id, uids: z.array(z.string().max(200)).nullable() }) }),
])
export type BusNotice = z.infer<typeof BusNotice>

/** What hears the bus. */
export interface BusHandlers {
  question(question: BusRequest): Promise<BusResponse>
  notice(notice: BusNotice): void
  news(news: BusMessage): void
  /** News may be missing since `since`, epoch ms; or they may have been until now, when it is `over`. */
  gap(gap: { since: number; over: boolean }): void
}

/** Nobody is there; no answer came in time; this gateway is cut off. */
export type RequestFailure = 'nobody' | 'silent' | 'away'

/** What one gateway tells another. Nothing of it is stored, and any of it may be lost: what must be right is a row. */
export interface Bus {
  start(ears: BusHandlers): Promise<void>
  /** To whoever wants it elsewhere; never waits, never fails. */
  news(key: BusMessageType, news: BusMessage): void
  /** Screens here hear of this from now on, or no more; counted. Resolves when the others know, or soon anyway. */
  want(key: BusMessageType, on: boolean): Promise<void>
  /** Whether a screen elsewhere hears of this; may be true 20 s too long. */
  wantedElsewhere(key: BusMessageType): boolean
  /** Whether a screen here hears of this since so lately that another gateway may not know of it yet. */
  justWanted(key: BusMessageType): boolean
  /** To all others, or to one; never fails. */
  tell(notice: BusNotice, gateway?: string): void
  ask(gateway: string, question: BusRequest, ms: number): Promise<BusResponse | RequestFailure>
  /** Whether this gateway is on the bus. */
  isUp(): boolean
  /** Whether some gateway that is heard has reached the database lately. */
  othersReachDatabase(): boolean
  /** How many hubs each other gateway has; undefined while one of them is not heard, or does not say so. */
  hubsElsewhere(): readonly number[] | undefined
  /** The gap that lasts, if one does. */
  gap(): { since: number } | undefined
  /** How the network is that carries it; undefined where it has no nodes. */
  network(): TransportState | undefined
  close(): Promise<void>
}

/** How the network that carries the bus is. */
export interface TransportState {
  /** The nodes of it that are named, and those that are reached; undefined while that is not known. */
  nodes: { named: number; up: number } | undefined
  /** Bytes that were published and that it has not yet confirmed. */
  pending: number
}

/** How bytes go from one gateway to another. */
export interface Transport {
  /** Resolves at once: a network that is away is tried again without limit. */
  start(on: {
    message(subject: string, bytes: Uint8Array, reply: string | undefined): void
    /** It is there, or not any more. */
    state(up: boolean): void
  }): Promise<void>
  subscribe(subject: string): void
  unsubscribe(subject: string): void
  /** False when it was not taken: the network is away, or does not keep up. */
  publish(subject: string, bytes: Uint8Array): boolean
  /** The first answer's bytes. */
  request(subject: string, bytes: Uint8Array, ms: number): Promise<Uint8Array | RequestFailure>
  /** Resolves when the network has what was published and subscribed, or soon anyway. */
  flush(ms: number): Promise<void>
  isUp(): boolean
  /** Left out by one that has no nodes. */
  state?(): TransportState
  close(): Promise<void>
}
