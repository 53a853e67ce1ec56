import type { Clock, Log } from '../kernel/ports.ts'
import type { BusMetrics } from './metrics.ts'
import { type ChunkAssembler, createChunkAssembler, splitMessage } from './chunks.ts'
import type { BusHandlers, Transport } from './port.ts'
import { sealMessage } from './seal.ts'
import type { Interests } from './interests.ts'

/** A gateway that lives and was not heard for so long is missed, in ms. */
export const PEER_TIMEOUT_MS = 1_500

/** The gateways of the database, as the bus needs them. */
export interface PeerDirectory {
  /** This gateway's id. */
  me(): string
  /** Those that are not dead, with the ms since the database last saw them. */
  others(): readonly { id: string; age: number }[]
  /** Whether a gateway of this database has this id. */
  knows(id: string): Promise<boolean>
  reachesDatabase(): boolean
  /** Hubs that are connected to this gateway. */
  hubs(): number
}

export interface BusOptions {
  transport: Transport
  peers: PeerDirectory
  /** The same for all gateways of one installation, and no other's: a part of every subject. */
  installation: string
  /** Signs messages; follows from SECRET. */
  key: Uint8Array
  clock: Clock
  log: Pick<Log, 'warn'>
  metrics: BusMetrics
}

/** What was heard of another gateway. */
export interface Peer {
  /** Since when it is known, or when it was last heard; by this gateway's clock. */
  heardAt: number
  beatNo: number | undefined
  /** The number of its last message. */
  lastNo: number
  /** Puts its long messages together. */
  assemble: ChunkAssembler
  database: boolean
  /** Hubs that are connected to it; undefined before its first beat. */
  hubs: number | undefined
}

export const newPeer = (heardAt: number): Peer => ({
  heardAt,
  beatNo: undefined,
  lastNo: 0,
  assemble: createChunkAssembler(),
  database: false,
  hubs: undefined,
})

/** What a bus knows. */
export interface State extends BusOptions {
  ears: BusHandlers
  wants: Interests
  peers: PeerDirectory
  heard: Map<string, Peer>
  /** Of the last message that was sent. */
  no: number
  beatNo: number
  /** The id under which questions are heard. */
  heardAs: string
  wantsToldAt: number
  gap: { since: number } | undefined
  downSince: number | undefined
  /** Senders that are of no gateway of this database, and until when they are not looked up again. */
  strangers: Map<string, number>
  /** What is not wanted any more, until it is forgotten. */
  leaving: Map<string, () => void>
  cancel: () => void
  closed: boolean
}

/** What every subject of an installation begins with. */
export const root = ({ installation }: State): string => `bd.${installation}`

/** Signs a message and sends it, in parts where it is long. */
export function sendToPeer(state: State, subject: string, message: object): void {
  const body = Buffer.from(JSON.stringify(message))
  const parts = splitMessage(body)
  if (!parts) {
    state.metrics.refused('size')
    state.log.warn({ subject, bytes: body.length }, 'message between gateways too large, dropped')
    return
  }
  for (const part of parts) {
    const bytes = sealMessage(state.key, subject, state.peers.me(), ++state.no, part)
    if (!state.transport.isUp()) return
    // Without one of its parts the others are of no use.
    if (!state.transport.publish(subject, bytes)) {
      skipHeartbeat(state)
      return state.metrics.refused('pending')
    }
  }
}

/** What was sent just now may be lost, also when the next beat is in time: by the number left out, the others know. */
export function skipHeartbeat(state: State): void {
  state.beatNo++
}

/** What a message says; undefined when that is no JSON. */
export function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}
