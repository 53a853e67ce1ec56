import { expect, it, vi } from 'vitest'
import { logFault } from '../../../src/lib/log-fault.ts'

it('logs to the console what failed and why, for any thrown value', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  logFault('The realtime channel', new Error('refused: a/b'))
  logFault('The realtime channel', 'gone')
  expect(warn.mock.calls).toEqual([['The realtime channel: refused: a/b'], ['The realtime channel: gone']])
  warn.mockRestore()
})
