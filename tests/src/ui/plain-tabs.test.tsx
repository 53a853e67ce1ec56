import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, it } from 'vitest'
import { PlainTabs } from '../../../src/ui/plain/plain-tabs.tsx'

const TABS = [
  { key: 'rooms', label: 'Rooms' },
  { key: 'meters', label: 'Meters' },
  { key: 'flow', label: 'Flow' },
] as const
function Tabs() {
  const [shown, setShown] = useState<(typeof TABS)[number]['key']>('rooms')
  return (
    <PlainTabs tabs={TABS} activeKey={shown} choose={setShown}>
      all about {shown}
    </PlainTabs>
  )
}
const opened = () => screen.getByRole('tabpanel').textContent

it('moves between tabs by arrows, Home and End, and opens one only by Enter', async () => {
  render(<Tabs />)
  const user = userEvent.setup()
  await user.tab()
  expect(document.activeElement?.textContent).toBe('Rooms')
  await user.keyboard('{ArrowLeft}')
  expect(document.activeElement?.textContent).toBe('Flow')
  await user.keyboard('{Home}{ArrowRight}')
  expect(document.activeElement?.textContent).toBe('Meters')
  expect(opened()).toBe('all about rooms')
  await user.keyboard('{Enter}')
  expect(opened()).toBe('all about meters')
  expect(screen.getByRole('tab', { selected: true }).textContent).toBe('Meters')
  expect(screen.getByRole('tabpanel', { name: 'Meters' })).toBeTruthy()
})
