import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { createEmbeddedBroker } from '../../../gateway/broker/embedded/embedded.ts'
import { callerAddress } from '../../../gateway/http/caller-address.ts'
import { systemClock } from '../../../gateway/kernel/ports.ts'
import { createLogBook } from '../../support/log-book.ts'
import { connectScreen, createEars, createFigures, hangUp, screen } from './rig.ts'

it('counts screens behind a trusted proxy by the address that it names', async () => {
  const figures = createFigures()
  const broker = createEmbeddedBroker({
    screenKey: Buffer.alloc(32, 5),
    limits: { connectionsPerAddress: 1 },
    clock: systemClock,
    log: createLogBook(),
    metrics: figures,
  })
  await broker.start(createEars())
  const http = createServer().listen(0, '127.0.0.1')
  await once(http, 'listening')
  broker.attach?.(http, callerAddress('loopback'))
  const url = `ws://127.0.0.1:${(http.address() as AddressInfo).port}/mqtt`
  const from = (address: string) =>
    connectScreen(url, broker, screen(), { wsOptions: { headers: { 'x-forwarded-for': address } } })
  try {
    expect((await from('203.0.113.1')).connected).toBe(true)
    expect((await from('203.0.113.2')).connected).toBe(true)
    await expect(from('203.0.113.1')).rejects.toThrow(/closed|hang up|ECONNRESET/)
    expect(figures.counts['address-limit']).toBe(1)
  } finally {
    await hangUp()
    await broker.close()
    http.closeAllConnections()
    http.close()
  }
})
