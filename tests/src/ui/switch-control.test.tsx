import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { SwitchControl } from '../../../src/ui/inputs/switch-control.tsx'
import { beginAs } from '../../support/device-screens.tsx'

beforeEach(() => beginAs())

it('keeps the focus while it waits for the device, and sends nothing twice', async () => {
  const user = userEvent.setup()
  const ask = vi.fn<(next: 0 | 1) => void>()
  const drawn = (value: 0 | 1, wanted?: 0 | 1) => (
    <SwitchControl name="走廊燈" value={value} requested={wanted} onChange={ask} />
  )
  const { rerender } = render(drawn(0))
  await user.tab()
  const lamp = screen.getByRole('switch', { name: '走廊燈' })
  expect(document.activeElement).toBe(lamp)
  await user.keyboard(' ')
  expect(ask.mock.calls).toEqual([[1]])

  rerender(drawn(0, 1))
  expect(document.activeElement).toBe(lamp)
  expect(lamp.getAttribute('aria-busy')).toBe('true')
  await user.keyboard(' ')
  expect(ask).toHaveBeenCalledTimes(1)

  rerender(drawn(1))
  await user.keyboard(' ')
  expect(ask.mock.calls).toEqual([[1], [0]])
})
