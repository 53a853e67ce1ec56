import { expect, it } from 'vitest'
import { readSigned, writeSigned } from '../../../gateway/lib/seal.ts'

const key = new Uint8Array(32).fill(7)

it('is read as it was written', () => {
  expect(readSigned(writeSigned({ a: 1 }, key), key)).toEqual({ a: 1 })
})

it('is rejected with any changed character, with another key, and with text appended', () => {
  const text = writeSigned({ a: 1 }, key)
  const changed = [...text].flatMap((_, at) =>
    [...'AB'].map((other) => text.slice(0, at) + other + text.slice(at + 1)).filter((one) => one !== text),
  )
  expect(changed.filter((one) => readSigned(one, key) !== undefined)).toEqual([])
  expect(readSigned(text, new Uint8Array(32))).toBeUndefined()
  expect(readSigned(`${text}.`, key)).toBeUndefined()
  expect(readSigned('', key)).toBeUndefined()
})
