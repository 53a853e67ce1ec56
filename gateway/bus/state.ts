import type { Clock, Log } from '../kernel/ports.ts'
import type { BusMetrics } from './metrics.ts'
import { type ChunkAssembler, createChunkAssembler, splitMessage, sealMessage } from './seal.ts'
import type { BusHandlers, Transport } from '../kernel/bus.ts'
import type { Interests } from './interests.ts'

/** Silence after which a live gateway is considered unreachable, in ms. */
export const PEER_TIMEOUT_MS = 1_500

/** Directory of the database's gateways. */
export interface PeerDirectory {
  readOwnId(): string
  /** Gateways that are not dead, with the ms since the database last saw them. */
  others(): readonly { id: string; age: number }[]
  /** Whether a gateway of this database has this id. */
  isKnown(id: string): Promise<boolean>
  reachesDatabase(): boolean
  /** Number of hubs connected to this gateway. */
  countHubs(): number
}

export interface BusOptions {
  transport: Transport
  peers: PeerDirectory
  /** Equal for all gateways of one installation and unique to it: part of every subject. */
  installation: string
  /** HMAC key, derived from SECRET. */
  key: Uint8Array
  clock: Clock
  log: Pick<Log, 'warn'>
  metrics: BusMetrics
}

/** Known state of another gateway. */
export interface Peer {
  /** Time of its last message, or of its discovery; by this gateway's clock. */
  lastMessageAt: number
  heartbeatNo: number | undefined
  /** Sequence number of its last message. */
  lastSequence: number
  addChunk: ChunkAssembler
  reachesDatabase: boolean
  /** Number of hubs connected to it; undefined before its first heartbeat. */
  hubCount: number | undefined
}

export const newPeer = (lastMessageAt: number): Peer => ({
  lastMessageAt,
  heartbeatNo: undefined,
  lastSequence: 0,
  addChunk: createChunkAssembler(),
  reachesDatabase: false,
  hubCount: undefined,
})

export interface State extends BusOptions {
  handlers: BusHandlers
  interests: Interests
  peers: PeerDirectory
  peersById: Map<string, Peer>
  /** Sequence number of the last sent message. */
  sequence: number
  heartbeatNo: number
  /** Id under which this gateway subscribes to requests. */
  subscribedAs: string
  interestsAnnouncedAt: number
  gap: { since: number } | undefined
  downSince: number | undefined
  /** Senders outside this database, and the time until which they are not looked up again. */
  unknownSenders: Map<string, number>
  /** Dropped interests that are still subscribed, with the function that cancels their timer. */
  pendingRemovals: Map<string, () => void>
  cancel: () => void
  isClosed: boolean
}

/** Prefix of every subject of an installation. */
export const subjectRoot = ({ installation }: State): string => `bd.${installation}`

/** Signs and sends a message, in chunks if it is long. */
export function sendToPeer(state: State, subject: string, message: object): void {
  const body = Buffer.from(JSON.stringify(message))
  const chunks = splitMessage(body)
  if (!chunks) {
    state.metrics.recordRejection('size')
    state.log.warn({ subject, bytes: body.length }, 'message between gateways too large, dropped')
    return
  }
  for (const chunk of chunks) {
    const bytes = sealMessage(state.key, subject, state.peers.readOwnId(), ++state.sequence, chunk)
    if (!state.transport.isUp()) return
    // Without one of its chunks, the others are useless.
    if (!state.transport.publish(subject, bytes)) {
      skipHeartbeat(state)
      return state.metrics.recordRejection('pending')
    }
  }
}

/** Skips a heartbeat number because messages may just have been lost: receivers detect the gap although the next heartbeat is in time. */
export function skipHeartbeat(state: State): void {
  state.heartbeatNo++
}

/** Parses JSON; undefined if invalid. */
export function parseJsonBody(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}
