import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import fc from 'fast-check'
import Fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import { callerAddress } from '../../../gateway/http/caller-address.ts'

function ask(trustProxy: false | string, remoteAddress: string, forwarded?: string): string {
  const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress })
  const request = new IncomingMessage(socket)
  if (forwarded !== undefined) request.headers['x-forwarded-for'] = forwarded
  return callerAddress(trustProxy)(request)
}

describe('the client address of a connection', () => {
  it.each([
    ['nobody is trusted: the connection', false, '192.0.2.1', '203.0.113.9', '192.0.2.1'],
    [
      'a proxy that is not on the list may not name others',
      '10.0.0.1',
      '192.0.2.1',
      '203.0.113.9',
      '192.0.2.1',
    ],
    ['the listed proxy names its caller', '10.0.0.1', '10.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['… who may have made up those before', '10.0.0.1', '10.0.0.1', '1.1.1.1, 203.0.113.9', '203.0.113.9'],
    ['a chain of proxies', '10.0.0.0/8, ::1', '::1', '203.0.113.9, 10.2.3.4', '203.0.113.9'],
    ['an IPv4 proxy on an IPv6 socket', 'loopback', '::ffff:127.0.0.1', '2001:db8::7', '2001:db8::7'],
    ['nobody named', 'loopback', '127.0.0.1', undefined, '127.0.0.1'],
    ['no address at all', 'loopback', '127.0.0.1', 'unknown', '127.0.0.1'],
  ])('%s', (_what, trust, remote, forwarded, caller) => {
    expect(ask(trust as false | string, remote, forwarded)).toBe(caller)
  })

  it('is the same for a WebSocket as for a call', async () => {
    const address = fc.constantFrom(
      '10.0.0.1',
      '10.9.9.9',
      '127.0.0.1',
      '192.0.2.1',
      '203.0.113.9',
      '2001:db8::1',
    )
    const trusted = '10.0.0.0/8,loopback'
    const app = Fastify({ trustProxy: trusted })
    app.get('/', async (request) => request.ip)
    await fc.assert(
      fc.asyncProperty(address, fc.array(address, { maxLength: 4 }), async (remoteAddress, chain) => {
        const forwarded = chain.length ? chain.join(', ') : undefined
        const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
        const { body } = await app.inject({ url: '/', remoteAddress, headers })
        expect(ask(trusted, remoteAddress, forwarded)).toBe(body)
      }),
      { numRuns: 200 },
    )
    await app.close()
  })
})
