import { rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { channels } from '../../../../contract/index.ts'
import { createEmbeddedBroker } from '../../../../gateway/broker/embedded/embedded.ts'
import { systemClock, systemRandom } from '../../../../gateway/ports.ts'
import { createLogBook } from '../../../support/log-book.ts'
import { mountDisk } from '../../../support/mount-disk.ts'
import { connectHub, createEars, createFigures, hangUp, TENANT } from '../rig.ts'

const MEGABYTE = 1_048_576

it('keeps messages for absent hubs again as soon as a disk that was full has room', async (test) => {
  const disk = mountDisk(test, 'size=64m,mode=755')
  const log = createLogBook()
  const broker = createEmbeddedBroker({
    directory: join(disk, 'broker'),
    tcp: { port: 0, host: '127.0.0.1' },
    clock: systemClock,
    random: systemRandom,
    log,
    metrics: createFigures(),
  })
  await broker.start(createEars())
  onTestFinished(async () => {
    await hangUp()
    await broker.close()
  })
  const url = `mqtt://127.0.0.1:${broker.ports().tcp}`
  const topic = channels.controlCommand.topic({ rootId: TENANT, homeId: 'home-1', thingName: 'hub-1' })
  const hub = await connectHub(url, 'hub-1', { clean: false })
  await hub.subscribeAsync(topic, { qos: 1 })
  await hub.endAsync()

  const filler = join(disk, 'filler')
  const { bavail, bsize } = statfsSync(disk)
  writeFileSync(filler, Buffer.alloc(bavail * bsize - 6 * MEGABYTE))
  const publish = (text: string) => broker.publish(topic, text.padEnd(100_000))
  const refused = (text: string) =>
    publish(text).then(
      () => undefined,
      (error: unknown) => error,
    )
  let kept = 0
  let refusal: unknown
  while ((refusal = await refused(`before ${kept}`)) === undefined) kept++
  expect(refusal).toMatchObject({ code: 'UNAVAILABLE' })
  expect(kept).toBeGreaterThan(10)

  rmSync(filler)
  await vi.waitFor(() => publish('after'), { timeout: 50_000, interval: 100 })
  const back = await connectHub(url, 'hub-1', { clean: false })
  const heard = () => new Set(back.heard.map(({ text }) => (JSON.parse(text) as string).trim()))
  await vi.waitFor(() => expect(heard()).toContain('after'), { timeout: 50_000, interval: 100 })
  expect(heard()).toEqual(new Set([...Array.from({ length: kept }, (_, i) => `before ${i}`), 'after']))
})
