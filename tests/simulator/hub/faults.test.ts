import { describe, expect, it } from 'vitest'
import { MeterReading } from '../../../contract/meters/channels.ts'
import { channels } from '../../../contract/index.ts'
import { parseStatusFields } from '../../../contract/devices/kinds/status.ts'
import { MAX_CLOCK_AHEAD_MS } from '../../../contract/devices/status-order.ts'
import { createFaults, FAULTS, type Fault, type FaultRates } from '../../../simulator/hub/faults.ts'
import { stream } from '../../../simulator/scenarios/random.ts'

const NOW = 1_795_243_466_453
const place = { rootId: 'r', homeId: 'h' }
const statusMessage = {
  topic: channels.statusReport.topic(place),
  payload: JSON.stringify({
    ThingName: 't',
    Timestamp: NOW,
    Peripherals: [{ PeripheralUID: 'p', Switch: 1 }],
  }),
}
const meterMessage = {
  topic: channels.meterReport.topic(place),
  payload: JSON.stringify({
    ThingName: 't',
    Readings: [{ PeripheralUID: 'm', Timestamp: NOW, AccumulatePower: 5 }],
  }),
}

function box(rates: FaultRates, seed = 1) {
  const counts = Object.fromEntries(FAULTS.map((fault) => [fault, 0])) as Record<Fault, number>
  return { counts, ...createFaults(rates, stream(seed), counts) }
}
const json = (text: string) => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

it('lets everything pass on a good day', () => {
  expect(box({}).plan(meterMessage, NOW)).toEqual([{ message: meterMessage, delayMs: 0, isFalse: false }])
})

it('does the same again with the same seed, and about as often as it is told', () => {
  const run = () => {
    const faults = box({ late: 0.2, duplicate: 0.05, malformed: 0.1 }, 7)
    const plans = Array.from({ length: 2000 }, () => faults.plan(meterMessage, NOW))
    return { plans, counts: faults.counts }
  }
  const first = run()
  expect(run()).toEqual(first)
  expect(first.counts.late / 2000).toBeCloseTo(0.2, 1)
  expect(first.counts.duplicate / 2000).toBeCloseTo(0.05, 1)
})

it.each(['late', 'duplicate', 'reorder'] as const)('%s reports still tell the truth', (fault) => {
  const plan = box({ [fault]: 1 }).plan(meterMessage, NOW)
  expect(plan.every(({ message, isFalse }) => !isFalse && message.payload === meterMessage.payload)).toBe(
    true,
  )
  expect(plan.length).toBe(fault === 'duplicate' ? 2 : 1)
  expect(plan[0]!.delayMs > 0).toBe(fault !== 'duplicate')
})

describe.each(['malformed', 'range', 'future'] as const)('%s', (fault) => {
  it('sends the true report as well', () => {
    const plan = box({ [fault]: 1 }).plan(statusMessage, NOW)
    expect(plan.filter(({ isFalse }) => !isFalse).map(({ message }) => message)).toEqual([statusMessage])
  })

  it('sends nothing beside it that the contract would take', () => {
    const faults = box({ [fault]: 1 })
    for (let i = 0; i < 50; i++)
      for (const message of [statusMessage, meterMessage])
        for (const { message: sent, isFalse } of faults.plan(message, NOW)) {
          if (!isFalse) continue
          const body = json(sent.payload)
          const status = channels.statusReport.payload.safeParse(body)
          const meter = channels.meterReport.payload.safeParse(body)
          for (const one of status.data?.Peripherals ?? []) expect(acceptable(one, '516')).toBe(false)
          for (const one of meter.data?.Readings ?? []) expect(acceptable(one, '514')).toBe(false)
        }
  })
})

/** Whether ingest could store this part of a report. */
function acceptable(one: unknown, type: string): boolean {
  const { Timestamp = NOW } = one as { Timestamp?: number }
  const values = type === '514' ? MeterReading.safeParse(one) : parseStatusFields(type, one)
  return values?.success === true && Timestamp <= NOW + MAX_CLOCK_AHEAD_MS
}

it('leaves commands and shadows alone', () => {
  const ack = { topic: channels.controlAck.topic(place), payload: '{}' }
  expect(box({ malformed: 1, duplicate: 1, late: 1 }).plan(ack, NOW)).toEqual([
    { message: ack, delayMs: 0, isFalse: false },
  ])
})

it('kills a hub more surely the longer the span', () => {
  const deaths = (seconds: number) => {
    const faults = box({ die: 0.01 })
    for (let i = 0; i < 1000; i++) faults.isPowerLost(seconds)
    return faults.counts.die
  }
  expect(deaths(100)).toBeGreaterThan(deaths(1) * 10)
  expect(box({}).isPowerLost(1e9)).toBe(false)
})
