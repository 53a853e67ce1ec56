import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createChunkAssembler, splitMessage, MAX_CHUNK_BYTES } from '../../../gateway/bus/seal.ts'

const message = (length: number) => Buffer.alloc(length, '{"text":"…"}')
/** Chunks of a message in order of arrival, the first with this number. */
const comes = (body: Buffer, first = 1, subject = 'bd.x.all') =>
  (splitMessage(body) ?? []).map((part, i) => ({ subject, sequence: first + i, body: part }))

it('leaves short messages unchanged, splits long ones, and rejects too long ones', () => {
  const short = message(1024 * 1024 - 40)
  expect(splitMessage(short)?.[0]).toBe(short)
  expect(splitMessage(message(1024 * 1024 - 39))).toHaveLength(2)
  expect(splitMessage(message(MAX_CHUNK_BYTES))).toHaveLength(5)
  expect(splitMessage(message(MAX_CHUNK_BYTES + 1))).toBeUndefined()
})

it('restores exactly what was split, and no message with a missing, duplicate or foreign part', () => {
  const lengths = [10, 1_100_000, 2_300_000]
  fc.assert(
    fc.property(
      fc.array(fc.record({ length: fc.constantFrom(...lengths), loses: fc.option(fc.nat(2)) }), {
        maxLength: 4,
      }),
      (messages) => {
        const assemble = createChunkAssembler()
        let no = 1
        const came: number[] = []
        for (const { length, loses } of messages) {
          const parts = comes(message(length), no)
          no += parts.length
          for (const [i, part] of parts.entries()) {
            if (i === loses) continue
            const { body } = assemble(part)
            if (body) came.push(body.equals(message(length)) ? length : -1)
          }
        }
        const whole = messages.filter(
          ({ length, loses }) => loses === null || loses >= comes(message(length)).length,
        )
        expect(came).toEqual(whole.map(({ length }) => length))
      },
    ),
    { numRuns: 30 },
  )
})

it('reports a lost message once if another one interrupts it', () => {
  const [one, two] = comes(message(1_100_000))
  if (!one || !two) throw new Error('It was not cut')
  const assemble = createChunkAssembler()
  expect(assemble(one)).toEqual({ isLost: false })
  expect(assemble({ subject: 'bd.x.all', sequence: 9, body: message(10) })).toEqual({
    body: message(10),
    isLost: true,
  })
  expect(assemble(two)).toEqual({ isLost: true })
  assemble(one)
  expect(assemble({ ...two, subject: 'bd.x.news' })).toEqual({ isLost: true })
  assemble(one)
  expect(assemble({ ...two, sequence: 3 })).toEqual({ isLost: true })
})

it('keeps nothing of a message that would be too long', () => {
  const [part] = comes(message(1_100_000))
  if (!part) throw new Error('It was not cut')
  const body = Buffer.from(part.body)
  body.writeUInt32BE(1_000_000, 5)
  expect(createChunkAssembler()({ ...part, body })).toEqual({ isLost: true })
})
