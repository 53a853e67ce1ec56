import { expect, it } from 'vitest'
import { createOutbox } from '../../device-link/outbox.ts'

const message = (payload: string) => ({ topic: 't', payload })
const drain = (box: ReturnType<typeof createOutbox>) => {
  const out = []
  for (let next = box.next(); next; next = box.next()) out.push(next)
  return out
}

it('has no more messages in flight than its window', () => {
  const box = createOutbox(100, 3)
  for (let i = 0; i < 5; i++) box.put(message(`${i}`))
  const flying = drain(box)
  expect(flying.map(({ payload }) => payload)).toEqual(['0', '1', '2'])
  box.acknowledge(flying[1]!)
  expect(drain(box).map(({ payload }) => payload)).toEqual(['3'])
})

it('sends what was not acknowledged again after a break, in order and before what came later', () => {
  const box = createOutbox(100, 3)
  for (let i = 0; i < 5; i++) box.put(message(`${i}`))
  const flying = drain(box)
  box.acknowledge(flying[0]!)
  box.rewind()
  expect(drain(box).map(({ payload }) => payload)).toEqual(['1', '2', '3'])
})

it('lets the oldest go when it is full, and counts them', () => {
  const box = createOutbox(2, 10)
  for (let i = 0; i < 5; i++) box.put(message(`${i}`))
  expect(box.dropped).toBe(3)
  expect(drain(box).map(({ payload }) => payload)).toEqual(['3', '4'])
})

it('stays in order over many thousand messages', () => {
  const box = createOutbox(Infinity, 1)
  const out: string[] = []
  for (let i = 0; i < 10_000; i++) {
    box.put(message(`${2 * i}`))
    box.put(message(`${2 * i + 1}`))
    const next = box.next()!
    out.push(next.payload)
    box.acknowledge(next)
  }
  for (let next = box.next(); next; next = box.next()) {
    out.push(next.payload)
    box.acknowledge(next)
  }
  expect(out).toEqual(Array.from({ length: 20_000 }, (_, i) => `${i}`))
})
