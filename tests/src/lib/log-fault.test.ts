import { expect, it, vi } from 'vitest'
import { logFault } from '../../../src/lib/log-fault.ts'

it('says in the console what failed and why, be it an error or not', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  logFault('The realtime channel', new Error('refused: a/b'))
  logFault('The realtime channel', 'gone')
  expect(warn.mock.calls).toEqual([['The realtime channel: refused: a/b'], ['The realtime channel: gone']])
  warn.mockRestore()
})
