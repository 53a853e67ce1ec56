import { QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { useDeviceControl } from '../../../../../src/domain/devices/commands/use-device-control.ts'
import { queryClient } from '../../../../../src/data/api.ts'
import { FIRST_CONNECT_TIMEOUT_MS } from '../../../../../src/live/reach.ts'
import { Asking } from '../../../../support/asking.tsx'
import { beginAs } from '../../../../support/device-screens.tsx'
import { aPeripheral } from '../../../../support/peripheral.ts'

/** Control without a connection, so that each command fails; it shows the last failed command. */
function Control({ type }: { type: string }) {
  const { send, failed, retry } = useDeviceControl(
    aPeripheral({ PeripheralUID: `of-${type}`, PeripheralType: type }),
  )
  return (
    <>
      <button type="button" onClick={() => send?.({ Switch: 1 })}>
        送出
      </button>
      <button type="button" onClick={retry}>
        再試
      </button>
      <output>{failed?.RequestID}</output>
    </>
  )
}

/** Maximum wait of a command for the first connection of the page. */
const giveUp = () => act(() => vi.advanceTimersByTimeAsync(FIRST_CONNECT_TIMEOUT_MS))

/** Sends a command that fails; returns the last failed one. */
async function failed(type: string) {
  const user = userEvent.setup({ advanceTimers: (ms) => void vi.advanceTimersByTime(ms) })
  render(
    <QueryClientProvider client={queryClient}>
      <Asking>
        <Control type={type} />
      </Asking>
    </QueryClientProvider>,
  )
  const last = () => screen.getByRole('status').textContent
  await user.click(screen.getByRole('button', { name: '送出' }))
  await giveUp()
  await waitFor(() => expect(last()).not.toBe(''))
  return { user, last }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
  beginAs()
})

afterEach(() => void vi.useRealTimers())

it('asks for confirmation again before a command that may start a machine is retried', async () => {
  const { user, last } = await failed('517')
  const first = last()
  await user.click(screen.getByRole('button', { name: '再試' }))
  expect(await screen.findAllByText('要閉合接點嗎？')).not.toHaveLength(0)
  expect(last()).toBe(first)
  await user.click(screen.getByRole('button', { name: '閉合接點' }))
  await giveUp()
  await waitFor(() => expect([first, '']).not.toContain(last()))
})

it('retries a lamp command at once', async () => {
  const { user, last } = await failed('516')
  const first = last()
  await user.click(screen.getByRole('button', { name: '再試' }))
  await giveUp()
  await waitFor(() => expect([first, '']).not.toContain(last()))
  expect(screen.queryByRole('dialog')).toBeNull()
})
