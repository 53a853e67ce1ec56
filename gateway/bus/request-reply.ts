import { BusResponse, BusRequest, type RequestFailure } from '../kernel/bus.ts'
import { openMessage, sealMessage, type SealedMessage } from './seal.ts'
import { parseJsonBody, subjectRoot, PEER_TIMEOUT_MS, type State } from './state.ts'

/** Sends a request to another gateway and waits for the answer, at most `ms`. */
export async function sendRequest(
  state: State,
  gateway: string,
  request: BusRequest,
  ms: number,
): Promise<BusResponse | RequestFailure> {
  const peer = state.heard.get(gateway)
  if (!state.transport.isUp()) return countUnanswered(state, 'away')
  if (peer && state.clock.now() - peer.heardAt > PEER_TIMEOUT_MS) return countUnanswered(state, 'silent')
  const subject = `${subjectRoot(state)}.gw.${gateway}`
  const sequence = ++state.no
  const me = state.peers.me()
  const bytes = sealMessage(state.key, subject, me, sequence, Buffer.from(JSON.stringify(request)))
  const endRequest = state.metrics.asked()
  const response = await state.transport.request(subject, bytes, ms)
  if (typeof response === 'string') {
    endRequest(response)
    return response
  }
  const sealed = openMessage(state.key, responseSubject(state, me, sequence), response)
  if (typeof sealed === 'string') {
    state.metrics.refused(sealed)
    endRequest('silent')
    return 'silent'
  }
  const parsed = BusResponse.safeParse(parseJsonBody(sealed.body))
  endRequest(parsed.success ? 'answered' : 'silent')
  return parsed.success ? parsed.data : 'silent'
}

function countUnanswered(state: State, failure: RequestFailure): RequestFailure {
  state.metrics.asked()(failure)
  return failure
}

/** Answers a request of another gateway. */
export async function sendResponse(
  state: State,
  { no: sequence, sender }: SealedMessage,
  reply: string,
  body: unknown,
): Promise<void> {
  const request = BusRequest.safeParse(body)
  if (!request.success) return state.metrics.refused('malformed')
  state.metrics.heard('question')
  const response = await state.ears.question(request.data)
  const subject = responseSubject(state, sender, sequence)
  const bytes = sealMessage(
    state.key,
    subject,
    state.peers.me(),
    ++state.no,
    Buffer.from(JSON.stringify(response)),
  )
  state.transport.publish(reply, bytes)
}

/** Subject that an answer is signed for, by the number of the request. */
const responseSubject = (state: State, requester: string, sequence: number) =>
  `${subjectRoot(state)}.answer.${requester}.${sequence}`
