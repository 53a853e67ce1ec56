import { Registry } from 'prom-client'
import { expect, it } from 'vitest'
import {
  createReportRejections,
  type IngestRejection,
} from '../../../../../gateway/features/status/ingest/refusals.ts'
import { holdClock } from '../../../../support/clock.ts'
import { createLogBook } from '../../../../support/log-book.ts'

const TENANT = 'company'

it('logs rejections once every ten seconds, with the skipped count, and counts each', async () => {
  const [clock, log, metrics] = [holdClock(), createLogBook(), new Registry()]
  const refuse = createReportRejections({ clock, log, metrics })
  for (const count of [1, 2, 3]) refuse('values', { tenant: TENANT, count })
  clock.advance(10_000)
  refuse('values', { tenant: TENANT })
  expect(log.lines.map(({ level, fields }) => [level, fields['notLogged']])).toEqual([
    ['warn', 0],
    ['warn', 5],
  ])
  expect(await counted(metrics, 'values')).toBe(7)
})

it('also logs after the clock was set back', () => {
  const [held, log, metrics] = [holdClock(), createLogBook(), new Registry()]
  let behind = 0
  const clock = { now: () => held.now() - behind, after: held.after }
  const refuse = createReportRejections({ clock, log, metrics })
  refuse('values', { tenant: TENANT })
  behind = 3_600_000
  held.advance(20_000)
  refuse('values', { tenant: TENANT })
  expect(log.lines).toHaveLength(2)
})

it('only counts reports of devices that were not added, as every new hub sends', async () => {
  const [clock, log, metrics] = [holdClock(), createLogBook(), new Registry()]
  const refuse = createReportRejections({ clock, log, metrics })
  refuse('notAdded', { tenant: TENANT, thingName: 'hub', count: 30 })
  refuse('foreignDevice', { tenant: TENANT, thingName: 'hub' })
  expect(log.lines.map(({ fields }) => fields['reason'])).toEqual(['foreignDevice'])
  expect(await counted(metrics, 'notAdded')).toBe(30)
})

async function counted(metrics: Registry, reason: IngestRejection): Promise<number | undefined> {
  const { values = [] } = (await metrics.getSingleMetric('ingest_refused_total')?.get()) ?? {}
  return values.find(({ labels }) => labels['reason'] === reason)?.value
}
