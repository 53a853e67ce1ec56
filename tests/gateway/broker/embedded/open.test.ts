import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Registry } from 'prom-client'
import { expect, it } from 'vitest'
import { openBroker } from '../../../../gateway/broker/embedded/open.ts'
import type { Broker } from '../../../../gateway/kernel/broker.ts'
import { readConfig } from '../../../../gateway/config/config.ts'
import { createLogBook } from '../../../support/log-book.ts'

const answers = (host: string, port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect({ host, port })
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })

it('listens for hubs only at the address of MQTT_HOST', async () => {
  const DATA_DIR = await mkdtemp(join(tmpdir(), 'broker-'))
  const config = readConfig({ DATA_DIR, MQTT_HOST: '127.0.0.1', MQTT_PORT: '0' })
  const broker = openBroker(config, { log: createLogBook(), registry: new Registry() })
  try {
    await broker.start({
      authenticate: async () => undefined,
      findTenant: async () => undefined,
      receive: async () => {},
      authenticateScreen: async () => undefined,
    })
    const { tcp = 0 } = (broker as Broker & { ports(): { tcp?: number } }).ports()
    expect(await answers('127.0.0.1', tcp)).toBe(true)
    expect(await answers('127.0.0.2', tcp)).toBe(false)
  } finally {
    await broker.close()
    await rm(DATA_DIR, { recursive: true, force: true })
  }
})
