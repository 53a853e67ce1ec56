import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { TimeZoneSelect } from '../../../../src/ui/inputs/time-zone-select.tsx'

afterEach(() => vi.restoreAllMocks())

it('names all zones only when it is opened', async () => {
  const zones = vi.spyOn(Intl, 'supportedValuesOf')
  render(<TimeZoneSelect value="Europe/London" />)
  expect(screen.getByTitle(/^\(GMT\+0[01]:00\) Europe\/London · /)).toBeTruthy()
  expect(zones).not.toHaveBeenCalled()
  await userEvent.click(screen.getByRole('combobox'))
  const list = within(await screen.findByRole('listbox'))
  expect(list.getAllByRole('option').length).toBeGreaterThan(1)
  expect(zones).toHaveBeenCalledOnce()
})
