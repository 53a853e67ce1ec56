import { act, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { connection } from '../../../src/live/channel.ts'
import { ConnectionStrip } from '../../../src/shell/connection-strip.tsx'
import { openPage } from '../support/page.tsx'

beforeEach(
  () =>
    void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] }),
)
afterEach(() => {
  vi.useRealTimers()
  act(() => connection.state.set('idle'))
})

it('shows the age of the data and that control is disabled while the channel is down', async () => {
  openPage(<ConnectionStrip />, '/', '/')
  act(() => connection.state.set('connected'))
  act(() => connection.state.set('reconnecting'))
  act(() => void vi.advanceTimersByTime(1_000))
  expect(screen.queryByText(/畫面顯示的是/)).toBeNull()
  act(() => void vi.advanceTimersByTime(180_000))
  expect(screen.getByRole('status').textContent).toContain('畫面顯示的是3 分鐘前的狀態。')
  expect(screen.getByRole('status').textContent).toContain('暫時無法控制裝置')
  // Independent of the connection attempts.
  act(() => connection.state.set('offline'))
  act(() => void vi.advanceTimersByTime(120_000))
  expect(screen.getByRole('status').textContent).toContain('畫面顯示的是5 分鐘前的狀態。')
  expect(screen.getByRole('status').textContent).toContain('暫時無法控制裝置')
  act(() => connection.state.set('connected'))
  expect(screen.queryByText(/畫面顯示的是/)).toBeNull()
})
