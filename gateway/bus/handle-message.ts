import { BusMessage, BusNotice, BusResponse, BusRequest, type RequestFailure } from '../kernel/bus.ts'
import { beginGap, detectGap } from './detect-gap.ts'
import { openMessage, type SealedMessage, sealMessage } from './seal.ts'
import { newPeer, parseJsonBody, type Peer, subjectRoot, PEER_TIMEOUT_MS, type State } from './state.ts'
import { announceInterests } from './announce-interests.ts'

/** Sends a request to another gateway and waits for the answer, at most `ms`. */
export async function sendRequest(
  state: State,
  gateway: string,
  request: BusRequest,
  ms: number,
): Promise<BusResponse | RequestFailure> {
  const peer = state.peersById.get(gateway)
  if (!state.transport.isUp()) return countUnanswered(state, 'away')
  if (peer && state.clock.now() - peer.lastMessageAt > PEER_TIMEOUT_MS)
    return countUnanswered(state, 'silent')
  const subject = `${subjectRoot(state)}.gw.${gateway}`
  const sequence = ++state.sequence
  const ownId = state.peers.readOwnId()
  const bytes = sealMessage(state.key, subject, ownId, sequence, Buffer.from(JSON.stringify(request)))
  const endRequest = state.metrics.startRequest()
  const response = await state.transport.request(subject, bytes, ms)
  if (typeof response === 'string') {
    endRequest(response)
    return response
  }
  const sealed = openMessage(state.key, responseSubject(state, ownId, sequence), response)
  if (typeof sealed === 'string') {
    state.metrics.recordRejection(sealed)
    endRequest('silent')
    return 'silent'
  }
  const parsed = BusResponse.safeParse(parseJsonBody(sealed.body))
  endRequest(parsed.success ? 'answered' : 'silent')
  return parsed.success ? parsed.data : 'silent'
}

function countUnanswered(state: State, failure: RequestFailure): RequestFailure {
  state.metrics.startRequest()(failure)
  return failure
}

/** Answers a request of another gateway. */
async function sendResponse(
  state: State,
  { sequence, sender }: SealedMessage,
  reply: string,
  body: unknown,
): Promise<void> {
  const request = BusRequest.safeParse(body)
  if (!request.success) return state.metrics.recordRejection('malformed')
  state.metrics.recordReceived('question')
  const response = await state.handlers.onRequest(request.data)
  const subject = responseSubject(state, sender, sequence)
  const bytes = sealMessage(
    state.key,
    subject,
    state.peers.readOwnId(),
    ++state.sequence,
    Buffer.from(JSON.stringify(response)),
  )
  state.transport.publish(reply, bytes)
}

/** Subject that an answer is signed for, by the number of the request. */
const responseSubject = (state: State, requester: string, sequence: number) =>
  `${subjectRoot(state)}.answer.${requester}.${sequence}`

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
  if (typeof sealed === 'string') return state.metrics.recordRejection(sealed)
  const { sender } = sealed
  if (sender === state.peers.readOwnId()) return
  if (state.peersById.has(sender)) return handleFromPeer(state, sealed, subject, reply)
  if ((state.unknownSenders.get(sender) ?? -Infinity) > state.clock.now())
    return state.metrics.recordRejection('sender')
  state.peers.isKnown(sender).then(
    (isKnown) => {
      if (!isKnown) {
        if (state.unknownSenders.size >= MAX_UNKNOWN_SENDERS) state.unknownSenders.clear()
        state.unknownSenders.set(sender, state.clock.now() + UNKNOWN_SENDER_TTL_MS)
        return state.metrics.recordRejection('sender')
      }
      if (!state.peersById.has(sender)) state.peersById.set(sender, newPeer(state.clock.now()))
      handleFromPeer(state, sealed, subject, reply)
    },
    () => state.metrics.recordRejection('sender'),
  )
}

function handleFromPeer(
  state: State,
  sealed: SealedMessage,
  subject: string,
  reply: string | undefined,
): void {
  const peer = state.peersById.get(sealed.sender)
  if (!peer || state.isClosed) return
  if (reply !== undefined) return void sendResponse(state, sealed, reply, parseJsonBody(sealed.body))
  // Frames may be late after a network stall; a duplicate came through two subscriptions.
  if (sealed.sequence <= peer.lastSequence) {
    if (sealed.sequence < peer.lastSequence) state.metrics.recordRejection('old')
    return
  }
  peer.lastSequence = sealed.sequence
  const { body: complete, isLost } = peer.addChunk({ subject, ...sealed })
  if (isLost) {
    state.metrics.recordRejection('part')
    beginGap(state, state.clock.now(), 'missing')
  }
  if (!complete) return
  const body = parseJsonBody(complete)
  if (subject.startsWith(`${subjectRoot(state)}.news.`)) {
    const news = BusMessage.safeParse(body)
    if (!news.success) return state.metrics.recordRejection('malformed')
    state.metrics.recordReceived('news')
    return state.handlers.onMessage(news.data)
  }
  const notice = BusNotice.safeParse(body)
  if (!notice.success) return state.metrics.recordRejection('malformed')
  handleNotice(state, sealed.sender, peer, notice.data)
}

function handleNotice(state: State, sender: string, peer: Peer, notice: BusNotice): void {
  if ('beat' in notice) {
    state.metrics.recordReceived('beat')
    return handleHeartbeat(state, sender, peer, notice.beat)
  }
  state.metrics.recordReceived('notice')
  if ('wants' in notice) state.interests.update(sender, notice.wants)
  else state.handlers.onNotice(notice)
}

function handleHeartbeat(
  state: State,
  sender: string,
  peer: Peer,
  { No, Database, Hubs }: { No: number; Database: boolean; Hubs?: number | undefined },
): void {
  const lastMessageAt = peer.lastMessageAt
  const isMissing = peer.heartbeatNo !== undefined && No !== peer.heartbeatNo + 1
  const wasSilent = state.clock.now() - lastMessageAt > PEER_TIMEOUT_MS
  const isNew = peer.heartbeatNo === undefined
  Object.assign(peer, {
    lastMessageAt: state.clock.now(),
    heartbeatNo: No,
    reachesDatabase: Database,
    hubCount: Hubs,
  })
  // It may have missed the interests of this gateway.
  if (isNew || isMissing || wasSilent) announceInterests(state, sender)
  if (isMissing) beginGap(state, lastMessageAt, 'missing')
  detectGap(state)
}
