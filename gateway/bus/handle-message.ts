import { sendResponse } from './request-reply.ts'
import { beginGap, detectGap } from './detect-gap.ts'
import { BusMessage, BusNotice } from '../kernel/bus.ts'
import { openMessage, type SealedMessage } from './seal.ts'
import { newPeer, parseJsonBody, type Peer, subjectRoot, PEER_TIMEOUT_MS, type State } from './state.ts'
import { announceInterests } from './announce-interests.ts'

/** Time for which an unknown sender is not looked up again, in ms, and maximum number of cached unknown senders. */
const UNKNOWN_SENDER_TTL_MS = 2_000
const MAX_UNKNOWN_SENDERS = 1_000

/** Processes a received message if it comes from a gateway of this database. */
export function handleBusMessage(
  state: State,
  subject: string,
  bytes: Uint8Array,
  reply: string | undefined,
): void {
  const sealed = openMessage(state.key, subject, bytes)
  if (typeof sealed === 'string') return state.metrics.refused(sealed)
  const { sender } = sealed
  if (sender === state.peers.me()) return
  if (state.heard.has(sender)) return handleFromPeer(state, sealed, subject, reply)
  if ((state.strangers.get(sender) ?? -Infinity) > state.clock.now()) return state.metrics.refused('sender')
  state.peers.knows(sender).then(
    (isKnown) => {
      if (!isKnown) {
        if (state.strangers.size >= MAX_UNKNOWN_SENDERS) state.strangers.clear()
        state.strangers.set(sender, state.clock.now() + UNKNOWN_SENDER_TTL_MS)
        return state.metrics.refused('sender')
      }
      if (!state.heard.has(sender)) state.heard.set(sender, newPeer(state.clock.now()))
      handleFromPeer(state, sealed, subject, reply)
    },
    () => state.metrics.refused('sender'),
  )
}

function handleFromPeer(
  state: State,
  sealed: SealedMessage,
  subject: string,
  reply: string | undefined,
): void {
  const peer = state.heard.get(sealed.sender)
  if (!peer || state.closed) return
  if (reply !== undefined) return void sendResponse(state, sealed, reply, parseJsonBody(sealed.body))
  // Frames may be late after a network stall; a duplicate came through two subscriptions.
  if (sealed.no <= peer.lastNo) {
    if (sealed.no < peer.lastNo) state.metrics.refused('old')
    return
  }
  peer.lastNo = sealed.no
  const { body: complete, lost: isLost } = peer.assemble({ subject, ...sealed })
  if (isLost) {
    state.metrics.refused('part')
    beginGap(state, state.clock.now(), 'missing')
  }
  if (!complete) return
  const body = parseJsonBody(complete)
  if (subject.startsWith(`${subjectRoot(state)}.news.`)) {
    const news = BusMessage.safeParse(body)
    if (!news.success) return state.metrics.refused('malformed')
    state.metrics.heard('news')
    return state.ears.news(news.data)
  }
  const notice = BusNotice.safeParse(body)
  if (!notice.success) return state.metrics.refused('malformed')
  handleNotice(state, sealed.sender, peer, notice.data)
}

function handleNotice(state: State, sender: string, peer: Peer, notice: BusNotice): void {
  if ('beat' in notice) {
    state.metrics.heard('beat')
    return handleHeartbeat(state, sender, peer, notice.beat)
  }
  state.metrics.heard('notice')
  if ('wants' in notice) state.wants.heard(sender, notice.wants)
  else state.ears.notice(notice)
}

function handleHeartbeat(
  state: State,
  sender: string,
  peer: Peer,
  { No, Database, Hubs }: { No: number; Database: boolean; Hubs?: number | undefined },
): void {
  const lastHeardAt = peer.heardAt
  const isMissing = peer.beatNo !== undefined && No !== peer.beatNo + 1
  const wasSilent = state.clock.now() - lastHeardAt > PEER_TIMEOUT_MS
  const isNew = peer.beatNo === undefined
  Object.assign(peer, { heardAt: state.clock.now(), beatNo: No, database: Database, hubs: Hubs })
  // It may have missed the interests of this gateway.
  if (isNew || isMissing || wasSilent) announceInterests(state, sender)
  if (isMissing) beginGap(state, lastHeardAt, 'missing')
  detectGap(state)
}
