import { expect, it, vi } from 'vitest'
import { createEmitter } from '../../../src/lib/create-emitter.ts'

it('calls each listener until it is unsubscribed, also one that unsubscribes itself', () => {
  const emitter = createEmitter<number>()
  const [first, second] = [vi.fn(), vi.fn()]
  const stopFirst = emitter.subscribe((event) => {
    first(event)
    stopFirst()
  })
  const stopSecond = emitter.subscribe(second)
  emitter.emit(1)
  emitter.emit(2)
  stopSecond()
  emitter.emit(3)
  expect(first.mock.calls).toEqual([[1]])
  expect(second.mock.calls).toEqual([[1], [2]])
})
