import type { FastifyInstance, FastifyRequest } from 'fastify'
import { GatewayError } from '../kernel/errors.ts'
import { CALL_BOUNDS, exceededBound, type JsonBounds } from '../lib/payloads/json-bounds.ts'

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
