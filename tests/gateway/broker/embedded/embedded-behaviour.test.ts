import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createEmbeddedBroker } from '../../../../gateway/broker/embedded/embedded.ts'
import { systemClock } from '../../../../gateway/kernel/ports.ts'
import { createLogBook } from '../../../support/log-book.ts'
import { createEars, createFigures } from '../rig.ts'
import { behavesAsABroker } from '../same-behaviour.ts'

behavesAsABroker(async () => {
  const ears = createEars()
  const broker = createEmbeddedBroker({
    screenKey: Buffer.alloc(32, 5),
    tcp: { port: 0, host: '127.0.0.1' },
    clock: systemClock,
    log: createLogBook(),
    metrics: createFigures(),
  })
  await broker.start(ears)
  const http = createServer().listen(0, '127.0.0.1')
  await once(http, 'listening')
  broker.attach?.(http)
  return {
    broker,
    ears,
    hubUrl: `mqtt://127.0.0.1:${broker.ports().tcp}`,
    screenUrl: `ws://127.0.0.1:${(http.address() as AddressInfo).port}/mqtt`,
    async stop() {
      await broker.close()
      http.closeAllConnections()
      http.close()
    },
  }
})
