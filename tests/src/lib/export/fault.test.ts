import { expect, it } from 'vitest'
import { ExportFailed, faultOf, assertReadable } from '../../../../src/lib/export/fault.ts'

it.each([
  ['the disk is full', new DOMException('', 'QuotaExceededError'), 'space'],
  ['a part is lost', new DOMException('', 'NotReadableError'), 'space'],
  ['memory is full', new RangeError('Array buffer allocation failed'), 'space'],
  ['the archive is full', new ExportFailed('tooLarge', ''), 'tooLarge'],
  ['something else', new Error('x'), 'unknown'],
  ['no error at all', undefined, 'unknown'],
])('recognizes from its error that %s', (_what, error, fault) => {
  expect(faultOf(error)).toBe(fault)
})

it('treats a file with a missing part as incomplete', async () => {
  const blob = new Blob(['x'])
  blob.slice = () =>
    ({ arrayBuffer: () => Promise.reject(new DOMException('', 'NotReadableError')) }) as unknown as Blob
  await expect(assertReadable(blob)).rejects.toMatchObject({ name: 'ExportFailed', fault: 'space' })
})
