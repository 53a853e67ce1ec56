import type { FastifyInstance, FastifyRequest } from 'fastify'
import { GatewayError } from '../kernel/errors.ts'
import { CALL_BOUNDS, exceededBound, type JsonBounds } from '../lib/payloads/json-bounds.ts'
import { type MalformedSenders, SLOWED_INTERVAL_MS } from '../lib/payloads/malformed-senders.ts'
import type { Clock } from '../kernel/ports.ts'
import { RateLimited } from './response.ts'

/** Lone surrogate, which is not allowed in UTF-8 and jsonb. */
const LONE_SURROGATE = /\p{Surrogate}/u

const EXCEEDED: Record<keyof JsonBounds, string> = {
  depth: `The body is nested more than ${CALL_BOUNDS.depth} levels deep`,
  values: `The body has more than ${CALL_BOUNDS.values} values`,
  members: `The body has more than ${CALL_BOUNDS.members} fields`,
}

/**
 * Parses JSON bodies: an empty one is an empty object; `__proto__`, text that the database cannot store and other content types are
 * rejected. A body beyond CALL_BOUNDS is rejected before it is parsed.
 *
 * onMalformed  called for each body that is not JSON or beyond the bounds
 */
export function readJsonBodies(app: FastifyInstance, onMalformed: (request: FastifyRequest) => void): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes: Buffer, done) => {
    if (bytes.length === 0) return done(null, {})
    const reject = (text: string) => {
      onMalformed(request)
      done(new GatewayError('INVALID', text))
    }
    const exceeded = exceededBound(bytes, CALL_BOUNDS)
    if (exceeded) return reject(EXCEEDED[exceeded])
    const body = bytes.toString()
    // Fastify's parser calls back synchronously.
    void parse(request, body, (error, value) => {
      if (error) return reject('The body is not JSON')
      if (body.includes('\\u') && !isStorable(value))
        return done(new GatewayError('INVALID', 'The body has characters that cannot be stored'))
      done(null, value)
    })
  })
}

/** Whether no key and no text in the value has a NUL or a lone surrogate. Iterative, because bodies may be deeply nested. */
function isStorable(value: unknown): boolean {
  const pending = [value]
  while (pending.length) {
    const next = pending.pop()
    if (typeof next === 'string') {
      if (next.includes('\0') || LONE_SURROGATE.test(next)) return false
    } else if (Array.isArray(next)) for (const each of next) pending.push(each)
    else if (next && typeof next === 'object')
      for (const [key, each] of Object.entries(next)) pending.push(key, each)
  }
  return true
}

/** Maximum number of bodies of one slowed-down sender that wait to be read. */
const MAX_WAITING = 5

/** Too many malformed bodies: the connection is closed after the answer. */
export class Disconnected extends RateLimited {}

/** Delays the bodies of senders of malformed ones to one per second, and disconnects those that continue. */
export function createSlowSenders({
  clock,
  malformed,
}: {
  clock: Pick<Clock, 'now' | 'after'>
  malformed: MalformedSenders
}) {
  /** Time at which the last waiting body of a sender may be read, epoch ms. */
  const lastTurns = new Map<string, number>()

  return {
    /**
     * Returns undefined if the body may be read now, or a promise of its turn.
     *
     * errors  RateLimited if too many wait, Disconnected if the sender is to be disconnected
     */
    waitFor(sender: string): Promise<void> | undefined {
      const sanction = malformed.sanctionOf(sender)
      if (sanction === 'normal') return undefined
      if (sanction === 'disconnected') throw new Disconnected(SLOWED_INTERVAL_MS)
      const now = clock.now()
      const dueAt = Math.max(now, lastTurns.get(sender) ?? 0) + SLOWED_INTERVAL_MS
      if (dueAt - now > MAX_WAITING * SLOWED_INTERVAL_MS) throw new RateLimited(dueAt - now)
      lastTurns.set(sender, dueAt)
      return new Promise((resolve) =>
        clock.after(dueAt - now, () => {
          if (lastTurns.get(sender) === dueAt) lastTurns.delete(sender)
          resolve()
        }),
      )
    },
    record: (sender: string): void => void malformed.record(sender),
  }
}
