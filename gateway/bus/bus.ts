import { sendRequest, handleBusMessage } from './handle-message.ts'
import { detectGap } from './detect-gap.ts'
import type { Bus, BusHandlers } from '../kernel/bus.ts'
import {
  type BusOptions,
  skipHeartbeat,
  subjectRoot,
  sendToPeer,
  PEER_TIMEOUT_MS,
  type State,
} from './state.ts'
import { announceInterests, addInterest } from './announce-interests.ts'
import { createInterests, interestKey } from './interests.ts'

const HEARTBEAT_MS = 500
/** Interval at which all interests are published, in ms; bounds the time for which another gateway's view is wrong. */
const ANNOUNCE_INTERVAL_MS = 20_000

const NO_HANDLERS: BusHandlers = {
  onRequest: async () => ({ carried: 'notHere' }),
  onNotice: () => {},
  onMessage: () => {},
  onGap: () => {},
}

/** Creates the bus between the gateways of a database, over a transport. */
export function createBus(options: BusOptions): Bus {
  const state: State = {
    ...options,
    handlers: NO_HANDLERS,
    interests: createInterests(),
    peersById: new Map(),
    sequence: 0,
    heartbeatNo: 0,
    subscribedAs: '',
    interestsAnnouncedAt: -Infinity,
    gap: undefined,
    downSince: undefined,
    unknownSenders: new Map(),
    pendingRemovals: new Map(),
    cancel: () => {},
    isClosed: false,
  }
  const { transport, clock } = options
  return {
    async start(handlers) {
      state.handlers = handlers
      state.downSince = clock.now()
      await transport.start({
        onMessage: (subject, bytes, reply) => handleBusMessage(state, subject, bytes, reply),
        onStateChange: (isUp) => onStateChange(state, isUp),
      })
      transport.subscribe(`${subjectRoot(state)}.all`)
      heartbeat(state)
    },
    publish(key, news) {
      if (!state.interests.isWantedElsewhere(key)) return
      state.metrics.recordSent('news')
      sendToPeer(state, `${subjectRoot(state)}.news.${interestKey(key)}`, news)
    },
    setInterest: (key, isInterested) => addInterest(state, key, isInterested),
    isWantedElsewhere: (key) => state.interests.isWantedElsewhere(key),
    isNewInterest(key) {
      const since = state.interests.interestedSince(key)
      return since !== undefined && clock.now() - since < PEER_TIMEOUT_MS && state.peersById.size > 0
    },
    sendNotice(notice, gateway) {
      state.metrics.recordSent('notice')
      sendToPeer(
        state,
        gateway === undefined ? `${subjectRoot(state)}.all` : `${subjectRoot(state)}.gw.${gateway}`,
        notice,
      )
    },
    request: (gateway, request, ms) => sendRequest(state, gateway, request, ms),
    isUp: () => transport.isUp(),
    othersReachDatabase: () =>
      [...state.peersById.values()].some(
        (peer) => peer.reachesDatabase && clock.now() - peer.lastMessageAt <= PEER_TIMEOUT_MS,
      ),
    remoteHubCounts: () => remoteHubCounts(state),
    currentGap: () => state.gap,
    transportState: () => transport.readState?.(),
    async close() {
      state.isClosed = true
      state.cancel()
      for (const cancel of state.pendingRemovals.values()) cancel()
      await transport.close()
    },
  }
}

/** Hub counts of the reachable gateways that are alive; undefined during a gap, in which one of them is unreachable. */
function remoteHubCounts(state: State): number[] | undefined {
  const now = state.clock.now()
  if (state.gap || !state.transport.isUp()) return undefined
  const counts: number[] = []
  for (const { lastMessageAt, hubCount, reachesDatabase } of state.peersById.values()) {
    // A gateway without the database has released its hubs: no hubs are balanced to it.
    if (now - lastMessageAt > PEER_TIMEOUT_MS || !reachesDatabase) continue
    if (hubCount === undefined) return undefined
    counts.push(hubCount)
  }
  return counts
}

/** Publishes a heartbeat and checks those of the others. */
function heartbeat(state: State): void {
  if (state.isClosed) return
  const ownId = state.peers.readOwnId()
  if (state.subscribedAs !== ownId) {
    if (state.subscribedAs) state.transport.unsubscribe(`${subjectRoot(state)}.gw.${state.subscribedAs}`)
    state.transport.subscribe(`${subjectRoot(state)}.gw.${ownId}`)
    state.subscribedAs = ownId
  }
  const { reachesDatabase, countHubs } = state.peers
  const heartbeatNotice = {
    beat: { No: ++state.heartbeatNo, Database: reachesDatabase(), Hubs: countHubs() },
  }
  state.metrics.recordSent('beat')
  sendToPeer(state, `${subjectRoot(state)}.all`, heartbeatNotice)
  const now = state.clock.now()
  if (now - state.interestsAnnouncedAt >= ANNOUNCE_INTERVAL_MS) announceInterests(state)
  detectGap(state)
  state.cancel = state.clock.after(HEARTBEAT_MS, () => heartbeat(state))
}

function onStateChange(state: State, isUp: boolean): void {
  if (isUp) {
    state.downSince = undefined
    announceInterests(state)
  } else {
    state.downSince ??= state.clock.now()
    skipHeartbeat(state)
  }
  detectGap(state)
}
