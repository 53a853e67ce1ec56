import type { FastifyInstance } from 'fastify'
import { GatewayError } from '../errors.ts'

/** A lone surrogate, which no UTF-8 text and no jsonb value can hold. */
const LONE_SURROGATE = /\p{Surrogate}/u

/**
 * Reads JSON bodies: an empty one is an empty object, `__proto__` and text that the database cannot hold are refused, and
 * so is any other content type.
 */
export function readJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body: string, done) => {
    if (body === '') return done(null, {})
    // Fastify's own parser calls back before it returns.
    void parse(request, body, (error, value) => {
      if (error) return done(new GatewayError('INVALID', 'The body is not JSON'))
      if (body.includes('\\u') && !storable(value))
        return done(new GatewayError('INVALID', 'The body has characters that cannot be stored'))
      done(null, value)
    })
  })
}

/** Whether no key and no text in the value has a NUL or a lone surrogate. Iterative: bodies may be nested deeply. */
function storable(value: unknown): boolean {
  const open = [value]
  while (open.length) {
    const next = open.pop()
    if (typeof next === 'string') {
      if (next.includes('\0') || LONE_SURROGATE.test(next)) return false
    } else if (Array.isArray(next)) for (const each of next) open.push(each)
    else if (next && typeof next === 'object')
      for (const [key, each] of Object.entries(next)) open.push(key, each)
  }
  return true
}
