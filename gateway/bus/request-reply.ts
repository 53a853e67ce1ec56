import { BusResponse, BusRequest, type RequestFailure } from '../kernel/bus.ts'
import { openMessage, sealMessage, type SealedMessage } from './seal.ts'
import { parse, root, PEER_TIMEOUT_MS, type State } from './state.ts'

/** Sends a request to another gateway and waits for the answer, at most `ms`. */
export async function sendRequest(
  state: State,
  gateway: string,
  question: BusRequest,
  ms: number,
): Promise<BusResponse | RequestFailure> {
  const peer = state.heard.get(gateway)
  if (!state.transport.isUp()) return outcome(state, 'away')
  if (peer && state.clock.now() - peer.heardAt > PEER_TIMEOUT_MS) return outcome(state, 'silent')
  const subject = `${root(state)}.gw.${gateway}`
  const no = ++state.no
  const me = state.peers.me()
  const bytes = sealMessage(state.key, subject, me, no, Buffer.from(JSON.stringify(question)))
  const ended = state.metrics.asked()
  const answered = await state.transport.request(subject, bytes, ms)
  if (typeof answered === 'string') {
    ended(answered)
    return answered
  }
  const sealed = openMessage(state.key, answerSubject(state, me, no), answered)
  if (typeof sealed === 'string') {
    state.metrics.refused(sealed)
    ended('silent')
    return 'silent'
  }
  const parsed = BusResponse.safeParse(parse(sealed.body))
  ended(parsed.success ? 'answered' : 'silent')
  return parsed.success ? parsed.data : 'silent'
}

function outcome(state: State, unanswered: RequestFailure): RequestFailure {
  state.metrics.asked()(unanswered)
  return unanswered
}

/** Answers a request of another gateway. */
export async function sendResponse(
  state: State,
  { no, sender }: SealedMessage,
  reply: string,
  body: unknown,
): Promise<void> {
  const question = BusRequest.safeParse(body)
  if (!question.success) return state.metrics.refused('malformed')
  state.metrics.heard('question')
  const said = await state.ears.question(question.data)
  const subject = answerSubject(state, sender, no)
  const bytes = sealMessage(
    state.key,
    subject,
    state.peers.me(),
    ++state.no,
    Buffer.from(JSON.stringify(said)),
  )
  state.transport.publish(reply, bytes)
}

/** Subject that an answer is signed for, by the number of the request. */
const answerSubject = (state: State, asker: string, no: number) => `${root(state)}.answer.${asker}.${no}`
