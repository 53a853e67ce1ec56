import { expect, it } from 'vitest'
import { createSerialQueue } from '../../../gateway/lib/serial-queue.ts'

/** Work that completes when the test says so and records its start and end. */
function pieces() {
  const told: string[] = []
  const ends = new Map<string, (error?: Error) => void>()
  const piece = (name: string) => () => {
    told.push(`${name} begins`)
    return new Promise<string>((resolve, reject) =>
      ends.set(name, (error) => {
        told.push(`${name} ends`)
        if (error) reject(error)
        else resolve(name)
      }),
    )
  }
  return { told, piece, end: (name: string, error?: Error) => ends.get(name)?.(error) }
}

it('runs work on one key in order, while others continue', async () => {
  const { told, piece, end } = pieces()
  const inOrder = createSerialQueue()
  const [first, second, other] = [
    inOrder('hub-1', piece('first')),
    inOrder('hub-1', piece('second')),
    inOrder('hub-2', piece('other')),
  ]
  await Promise.resolve()
  expect(told).toEqual(['first begins', 'other begins'])
  end('other')
  expect(await other).toBe('other')
  end('first')
  expect(await first).toBe('first')
  await Promise.resolve()
  end('second')
  expect(await second).toBe('second')
  expect(told.slice(-3)).toEqual(['first ends', 'second begins', 'second ends'])
})

it('rejects for the caller after a failure, and still runs what follows', async () => {
  const { piece, end } = pieces()
  const inOrder = createSerialQueue()
  const first = inOrder('hub-1', piece('first'))
  const second = inOrder('hub-1', () => Promise.resolve('second'))
  await Promise.resolve()
  end('first', new Error('gone'))
  await expect(first).rejects.toThrow('gone')
  expect(await second).toBe('second')
})
