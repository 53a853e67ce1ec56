import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEmbeddedBroker } from '../../../../gateway/broker/embedded/embedded.ts'
import { systemClock, systemRandom } from '../../../../gateway/ports.ts'
import { createLogBook } from '../../../support/log-book.ts'
import { createEars, createFigures } from '../rig.ts'
import { behavesAsABroker } from '../same-behaviour.ts'

behavesAsABroker(async () => {
  const directory = await mkdtemp(join(tmpdir(), 'broker-'))
  const ears = createEars()
  const broker = createEmbeddedBroker({
    directory,
    tcp: { port: 0, host: '127.0.0.1' },
    clock: systemClock,
    random: systemRandom,
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
      await rm(directory, { recursive: true })
    },
  }
})
