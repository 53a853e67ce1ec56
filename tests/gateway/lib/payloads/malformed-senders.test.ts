import { expect, it } from 'vitest'
import {
  createMalformedSenders,
  DISCONNECTED_AFTER,
  FORGIVE_INTERVAL_MS,
  senderOf,
  SLOWED_AFTER,
} from '../../../../gateway/lib/payloads/malformed-senders.ts'

function start() {
  const clock = { time: 0, now: () => clock.time }
  return { clock, senders: createMalformedSenders({ clock }) }
}

it('throttles a sender of malformed payloads, disconnects it if it continues, and recovers over time', () => {
  const { clock, senders } = start()
  const record = (times: number) => Array.from({ length: times }, () => senders.record('a')).at(-1)
  expect(record(SLOWED_AFTER - 1)).toBe('normal')
  expect(record(1)).toBe('slowed')
  expect(record(DISCONNECTED_AFTER - SLOWED_AFTER)).toBe('disconnected')
  expect(senders.sanctionOf('b')).toBe('normal')
  clock.time += FORGIVE_INTERVAL_MS
  expect(senders.sanctionOf('a')).toBe('slowed')
  expect(record(1)).toBe('disconnected')
  clock.time += FORGIVE_INTERVAL_MS * DISCONNECTED_AFTER
  expect(senders.sanctionOf('a')).toBe('normal')
})

it('forgives nothing because of a clock set back', () => {
  const { clock, senders } = start()
  for (let i = 0; i < SLOWED_AFTER; i++) senders.record('a')
  clock.time -= 1_000_000
  expect(senders.sanctionOf('a')).toBe('slowed')
})

it('counts a signed-in person individually, and others by network', () => {
  expect(senderOf('p1', '192.0.2.1')).toBe('person p1')
  expect(senderOf(undefined, '::ffff:192.0.2.1')).toBe(senderOf(undefined, '192.0.2.1'))
})
