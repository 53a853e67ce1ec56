import { act, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { beforeEach, expect, it } from 'vitest'
import { peripheral } from '../../../../contract/devices/peripheral.ts'
import { home } from '../../../../contract/homes/home.ts'
import DeviceDrawer from '../../../../src/custom-views/device-panel/device-drawer.tsx'
import { beginAs, openPages } from '../../../support/device-screens.tsx'
import { answers, server } from '../../../support/msw.ts'
beforeEach(async () => {
  await beginAs()
  server.use(
    answers(home.operations.list, []),
    answers(peripheral.operations.list, { Things: [], Peripherals: [], Statuses: [] }),
  )
})

function List() {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        走廊燈
      </button>
      {open && <DeviceDrawer homeId="h1" id="gone" close={() => setOpen(false)} />}
    </>
  )
}

it('closes by Escape even if a button took focus, and returns focus to the row', async () => {
  const { user } = openPages({ '/': <List /> }, '/')
  const row = screen.getByRole('button', { name: '走廊燈' })
  await user.click(row)
  expect(await screen.findByText('此裝置不存在，可能已被移除。')).toBeTruthy()
  act(() => (document.activeElement as HTMLElement).blur())
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByText('此裝置不存在，可能已被移除。')).toBeNull())
  expect(document.activeElement).toBe(row)
})
