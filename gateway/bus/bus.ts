import type { Clock, Log } from '../ports.ts'
import type { BusMetrics } from './metrics.ts'
import {
  Answer,
  type Bus,
  type BusEars,
  News,
  type NewsKey,
  Notice,
  Question,
  type Transport,
  type Unanswered,
} from './port.ts'
import { type Assembly, createAssembly, cut } from './parts.ts'
import { open, seal, type Sealed } from './seal.ts'
import { createWants, nameOf, type Wants } from './wants.ts'

/** Between two beats, in ms. */
const BEAT = 500
/** A gateway that lives and was not heard for so long is missed, in ms. */
const SILENCE = 1_500
/** One that the database has seen within this time lives, in ms: it is seen every other second. */
const LIVES = 5_000
/** A sender that nobody knows is not looked up again for so long, in ms, and so many are remembered. */
const STRANGE_FOR = 2_000
const MOST_STRANGERS = 1_000
/** Wants are told in full so often, in ms: nobody is wrong about them for longer. */
const WANTS_EVERY = 20_000
/** Wants in one message. */
const WANTS_PART = 5_000
/** How long what nobody wants any more is still heard, in ms: whoever leaves a page often comes back. */
const WANT_KEPT = 30_000
/** The longest that a screen waits for the others to know what it wants, in ms. */
const WANT_PATIENCE = 50

/** The gateways of the database, as the bus needs them. */
export interface Peers {
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
  peers: Peers
  /** The same for all gateways of one installation, and no other's: a part of every subject. */
  installation: string
  /** Signs messages; follows from SECRET. */
  key: Uint8Array
  clock: Clock
  log: Pick<Log, 'warn'>
  metrics: BusMetrics
}

/** What was heard of another gateway. */
interface Peer {
  /** Since when it is known, or when it was last heard; by this gateway's clock. */
  heardAt: number
  beatNo: number | undefined
  /** The number of its last message. */
  lastNo: number
  /** Puts its long messages together. */
  assemble: Assembly
  database: boolean
  /** Hubs that are connected to it; undefined before its first beat. */
  hubs: number | undefined
}

const newPeer = (heardAt: number): Peer => ({
  heardAt,
  beatNo: undefined,
  lastNo: 0,
  assemble: createAssembly(),
  database: false,
  hubs: undefined,
})

interface State extends BusOptions {
  ears: BusEars
  wants: Wants
  peers: Peers
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

const NO_EARS: BusEars = {
  question: async () => ({ carried: 'notHere' }),
  notice: () => {},
  news: () => {},
  gap: () => {},
}

/** The bus among the gateways of a database, over whatever carries its bytes. */
export function createBus(options: BusOptions): Bus {
  const state: State = {
    ...options,
    ears: NO_EARS,
    wants: createWants(),
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
        message: (subject, bytes, reply) => take(state, subject, bytes, reply),
        state: (up) => stateChanged(state, up),
      })
      transport.subscribe(`${root(state)}.all`)
      tick(state)
    },
    news(key, news) {
      if (!state.wants.wantedElsewhere(key)) return
      state.metrics.sent('news')
      send(state, `${root(state)}.news.${nameOf(key)}`, news)
    },
    want: (key, on) => want(state, key, on),
    wantedElsewhere: (key) => state.wants.wantedElsewhere(key),
    tell(notice, gateway) {
      state.metrics.sent('notice')
      send(state, gateway === undefined ? `${root(state)}.all` : `${root(state)}.gw.${gateway}`, notice)
    },
    ask: (gateway, question, ms) => ask(state, gateway, question, ms),
    isUp: () => transport.isUp(),
    othersReachDatabase: () =>
      [...state.heard.values()].some((peer) => peer.database && clock.now() - peer.heardAt <= SILENCE),
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

const root = ({ installation }: State): string => `bd.${installation}`

function send(state: State, subject: string, message: object): void {
  const body = Buffer.from(JSON.stringify(message))
  const parts = cut(body)
  if (!parts) {
    state.metrics.refused('size')
    state.log.warn({ subject, bytes: body.length }, 'A message between gateways is too long and was dropped')
    return
  }
  for (const part of parts) {
    const bytes = seal(state.key, subject, state.peers.me(), ++state.no, part)
    if (!state.transport.isUp()) return
    // Without one of its parts the others are of no use.
    if (!state.transport.publish(subject, bytes)) {
      leaveOutBeat(state)
      return state.metrics.refused('pending')
    }
  }
}

/** Of those that are heard, and of all that live; a gap says that one of these is not. */
function hubsElsewhere(state: State): number[] | undefined {
  const now = state.clock.now()
  if (state.gap || !state.transport.isUp()) return undefined
  const counts: number[] = []
  for (const { heardAt, hubs, database } of state.heard.values()) {
    // One that lacks the database has let its hubs go: they are not to be shared with it.
    if (now - heardAt > SILENCE || !database) continue
    if (hubs === undefined) return undefined
    counts.push(hubs)
  }
  return counts
}

/** A sign of life, and a look at who gave none. */
function tick(state: State): void {
  if (state.closed) return
  const me = state.peers.me()
  if (state.heardAs !== me) {
    if (state.heardAs) state.transport.unsubscribe(`${root(state)}.gw.${state.heardAs}`)
    state.transport.subscribe(`${root(state)}.gw.${me}`)
    state.heardAs = me
  }
  const { reachesDatabase, hubs } = state.peers
  const beat = { beat: { No: ++state.beatNo, Database: reachesDatabase(), Hubs: hubs() } }
  state.metrics.sent('beat')
  send(state, `${root(state)}.all`, beat)
  const now = state.clock.now()
  if (now - state.wantsToldAt >= WANTS_EVERY) tellWants(state)
  lookForGap(state)
  state.cancel = state.clock.after(BEAT, () => tick(state))
}

function tellWants(state: State, gateway?: string): void {
  if (gateway === undefined) state.wantsToldAt = state.clock.now()
  const subject = gateway === undefined ? `${root(state)}.all` : `${root(state)}.gw.${gateway}`
  const names = state.wants.here()
  for (let from = 0; from === 0 || from < names.length; from += WANTS_PART) {
    const Add = names.slice(from, from + WANTS_PART)
    send(state, subject, { wants: { Add, Remove: [], ...(from === 0 && { All: true }) } } satisfies Notice)
  }
}

function stateChanged(state: State, up: boolean): void {
  if (up) {
    state.downSince = undefined
    tellWants(state)
  } else {
    state.downSince ??= state.clock.now()
    leaveOutBeat(state)
  }
  lookForGap(state)
}

/** What was sent just now may be lost, also when the next beat is in time: by the number left out, the others know. */
function leaveOutBeat(state: State): void {
  state.beatNo++
}

/** News are missing while this gateway is cut off, or another that lives is not heard. */
function lookForGap(state: State): void {
  const now = state.clock.now()
  const others = new Map(state.peers.others().map(({ id, age }) => [id, age]))
  for (const id of others.keys()) if (!state.heard.has(id)) state.heard.set(id, newPeer(now))
  for (const id of state.heard.keys())
    if (!others.has(id)) {
      state.heard.delete(id)
      state.wants.forget(id)
    }
  const silent = [...state.heard].flatMap(([id, { heardAt }]) =>
    (others.get(id) ?? LIVES) < LIVES && now - heardAt > SILENCE ? [heardAt] : [],
  )
  const isCutOff = state.downSince !== undefined && others.size > 0
  if (isCutOff) begin(state, state.downSince ?? now, 'cutOff')
  else if (silent.length > 0) begin(state, Math.min(...silent), 'silence')
  else if (state.gap) end(state)
}

function begin(state: State, since: number, reason: 'cutOff' | 'silence' | 'missing'): void {
  if (state.gap) return
  state.gap = { since }
  state.metrics.gapBegan(reason)
  state.ears.gap({ since, over: false })
}

function end(state: State): void {
  const { since } = state.gap ?? { since: state.clock.now() }
  state.gap = undefined
  state.ears.gap({ since, over: true })
}

/** Takes a message that came, when it is of a gateway of this database. */
function take(state: State, subject: string, bytes: Uint8Array, reply: string | undefined): void {
  const sealed = open(state.key, subject, bytes)
  if (typeof sealed === 'string') return state.metrics.refused(sealed)
  const { sender } = sealed
  if (sender === state.peers.me()) return
  if (state.heard.has(sender)) return takeFrom(state, sealed, subject, reply)
  if ((state.strangers.get(sender) ?? -Infinity) > state.clock.now()) return state.metrics.refused('sender')
  state.peers.knows(sender).then(
    (isKnown) => {
      if (!isKnown) {
        if (state.strangers.size >= MOST_STRANGERS) state.strangers.clear()
        state.strangers.set(sender, state.clock.now() + STRANGE_FOR)
        return state.metrics.refused('sender')
      }
      if (!state.heard.has(sender)) state.heard.set(sender, newPeer(state.clock.now()))
      takeFrom(state, sealed, subject, reply)
    },
    () => state.metrics.refused('sender'),
  )
}

function takeFrom(state: State, sealed: Sealed, subject: string, reply: string | undefined): void {
  const peer = state.heard.get(sealed.sender)
  if (!peer || state.closed) return
  if (reply !== undefined) return void answer(state, sealed, reply, parse(sealed.body))
  // A network that stood still delivers late; what came twice came by two subscriptions.
  if (sealed.no <= peer.lastNo) {
    if (sealed.no < peer.lastNo) state.metrics.refused('old')
    return
  }
  peer.lastNo = sealed.no
  const { body: whole, lost } = peer.assemble({ subject, ...sealed })
  if (lost) {
    state.metrics.refused('part')
    begin(state, state.clock.now(), 'missing')
  }
  if (!whole) return
  const body = parse(whole)
  if (subject.startsWith(`${root(state)}.news.`)) {
    const news = News.safeParse(body)
    if (!news.success) return state.metrics.refused('malformed')
    state.metrics.heard('news')
    return state.ears.news(news.data)
  }
  const notice = Notice.safeParse(body)
  if (!notice.success) return state.metrics.refused('malformed')
  takeNotice(state, sealed.sender, peer, notice.data)
}

function takeNotice(state: State, sender: string, peer: Peer, notice: Notice): void {
  if ('beat' in notice) {
    state.metrics.heard('beat')
    return takeBeat(state, sender, peer, notice.beat)
  }
  state.metrics.heard('notice')
  if ('wants' in notice) state.wants.heard(sender, notice.wants)
  else state.ears.notice(notice)
}

function takeBeat(
  state: State,
  sender: string,
  peer: Peer,
  { No, Database, Hubs }: { No: number; Database: boolean; Hubs?: number | undefined },
): void {
  const before = peer.heardAt
  const isMissing = peer.beatNo !== undefined && No !== peer.beatNo + 1
  const wasSilent = state.clock.now() - before > SILENCE
  const isNew = peer.beatNo === undefined
  Object.assign(peer, { heardAt: state.clock.now(), beatNo: No, database: Database, hubs: Hubs })
  // It may have missed what is wanted here.
  if (isNew || isMissing || wasSilent) tellWants(state, sender)
  if (isMissing) begin(state, before, 'missing')
  lookForGap(state)
}

async function answer(state: State, { no, sender }: Sealed, reply: string, body: unknown): Promise<void> {
  const question = Question.safeParse(body)
  if (!question.success) return state.metrics.refused('malformed')
  state.metrics.heard('question')
  const said = await state.ears.question(question.data)
  const subject = answerSubject(state, sender, no)
  const bytes = seal(state.key, subject, state.peers.me(), ++state.no, Buffer.from(JSON.stringify(said)))
  state.transport.publish(reply, bytes)
}

/** What an answer is signed for: the question of this number. */
const answerSubject = (state: State, asker: string, no: number) => `${root(state)}.answer.${asker}.${no}`

async function ask(
  state: State,
  gateway: string,
  question: Question,
  ms: number,
): Promise<Answer | Unanswered> {
  const peer = state.heard.get(gateway)
  if (!state.transport.isUp()) return outcome(state, 'away')
  if (peer && state.clock.now() - peer.heardAt > SILENCE) return outcome(state, 'silent')
  const subject = `${root(state)}.gw.${gateway}`
  const no = ++state.no
  const me = state.peers.me()
  const bytes = seal(state.key, subject, me, no, Buffer.from(JSON.stringify(question)))
  const ended = state.metrics.asked()
  const answered = await state.transport.request(subject, bytes, ms)
  if (typeof answered === 'string') {
    ended(answered)
    return answered
  }
  const sealed = open(state.key, answerSubject(state, me, no), answered)
  if (typeof sealed === 'string') {
    state.metrics.refused(sealed)
    ended('silent')
    return 'silent'
  }
  const parsed = Answer.safeParse(parse(sealed.body))
  ended(parsed.success ? 'answered' : 'silent')
  return parsed.success ? parsed.data : 'silent'
}

function outcome(state: State, unanswered: Unanswered): Unanswered {
  state.metrics.asked()(unanswered)
  return unanswered
}

async function want(state: State, key: NewsKey, on: boolean): Promise<void> {
  const name = nameOf(key)
  const changed = state.wants.count(name, on)
  if (!changed) return
  const subject = `${root(state)}.news.${name}`
  const leaving = state.leaving.get(name)
  if (!on) {
    const cancel = state.clock.after(WANT_KEPT, () => {
      state.leaving.delete(name)
      state.transport.unsubscribe(subject)
      send(state, `${root(state)}.all`, { wants: { Add: [], Remove: [name] } } satisfies Notice)
    })
    state.leaving.set(name, cancel)
    return
  }
  leaving?.()
  state.leaving.delete(name)
  state.transport.subscribe(subject)
  send(state, `${root(state)}.all`, { wants: { Add: [name], Remove: [] } } satisfies Notice)
  await state.transport.flush(WANT_PATIENCE)
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}
