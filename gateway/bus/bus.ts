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
  question: async () => ({ carried: 'notHere' }),
  notice: () => {},
  news: () => {},
  gap: () => {},
}

/** Creates the bus between the gateways of a database, over a transport. */
export function createBus(options: BusOptions): Bus {
  const state: State = {
    ...options,
    ears: NO_HANDLERS,
    wants: createInterests(),
    heard: new Map(),
    no: 0,
    beatNo: 0,
    heardAs: '',
    wantsToldAt: -Infinity,
    gap: undefined,
    downSince: undefined,
    strangers: new Map(),
    leaving: new Map(),
    cancel: () => {},
    closed: false,
  }
  const { transport, clock } = options
  return {
    async start(ears) {
      state.ears = ears
      state.downSince = clock.now()
      await transport.start({
        message: (subject, bytes, reply) => handleBusMessage(state, subject, bytes, reply),
        state: (up) => onStateChange(state, up),
      })
      transport.subscribe(`${subjectRoot(state)}.all`)
      heartbeat(state)
    },
    news(key, news) {
      if (!state.wants.wantedElsewhere(key)) return
      state.metrics.sent('news')
      sendToPeer(state, `${subjectRoot(state)}.news.${interestKey(key)}`, news)
    },
    want: (key, on) => addInterest(state, key, on),
    wantedElsewhere: (key) => state.wants.wantedElsewhere(key),
    justWanted(key) {
      const since = state.wants.wantedSince(key)
      return since !== undefined && clock.now() - since < PEER_TIMEOUT_MS && state.heard.size > 0
    },
    tell(notice, gateway) {
      state.metrics.sent('notice')
      sendToPeer(
        state,
        gateway === undefined ? `${subjectRoot(state)}.all` : `${subjectRoot(state)}.gw.${gateway}`,
        notice,
      )
    },
    ask: (gateway, question, ms) => sendRequest(state, gateway, question, ms),
    isUp: () => transport.isUp(),
    othersReachDatabase: () =>
      [...state.heard.values()].some(
        (peer) => peer.database && clock.now() - peer.heardAt <= PEER_TIMEOUT_MS,
      ),
    hubsElsewhere: () => hubsElsewhere(state),
    gap: () => state.gap,
    network: () => transport.state?.(),
    async close() {
      state.closed = true
      state.cancel()
      for (const cancel of state.leaving.values()) cancel()
      await transport.close()
    },
  }
}

/** Hub counts of the reachable gateways that are alive; undefined during a gap, in which one of them is unreachable. */
function hubsElsewhere(state: State): number[] | undefined {
  const now = state.clock.now()
  if (state.gap || !state.transport.isUp()) return undefined
  const counts: number[] = []
  for (const { heardAt, hubs, database } of state.heard.values()) {
    // A gateway without the database has released its hubs: no hubs are balanced to it.
    if (now - heardAt > PEER_TIMEOUT_MS || !database) continue
    if (hubs === undefined) return undefined
    counts.push(hubs)
  }
  return counts
}

/** Publishes a heartbeat and checks those of the others. */
function heartbeat(state: State): void {
  if (state.closed) return
  const me = state.peers.me()
  if (state.heardAs !== me) {
    if (state.heardAs) state.transport.unsubscribe(`${subjectRoot(state)}.gw.${state.heardAs}`)
    state.transport.subscribe(`${subjectRoot(state)}.gw.${me}`)
    state.heardAs = me
  }
  const { reachesDatabase, hubs } = state.peers
  const beat = { beat: { No: ++state.beatNo, Database: reachesDatabase(), Hubs: hubs() } }
  state.metrics.sent('beat')
  sendToPeer(state, `${subjectRoot(state)}.all`, beat)
  const now = state.clock.now()
  if (now - state.wantsToldAt >= ANNOUNCE_INTERVAL_MS) announceInterests(state)
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
