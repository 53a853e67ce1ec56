import { act, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { DeviceLabel } from '../../../../../src/domain/devices/label/device-label.tsx'
import { changeLanguage } from '../../../../../src/lib/i18n/i18n.ts'

beforeEach(() => act(() => changeLanguage('zh-TW')))

it('shows kind, place and a link to its page, and prints', async () => {
  const print = vi.spyOn(window, 'print').mockReturnValue()
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null)
  const user = userEvent.setup()
  render(<DeviceLabel path="/DeviceInfo/h1/lamp" name="走道燈" place="走廊" id="lamp" />)
  await user.click(screen.getByRole('button', { name: /列印標籤/ }))
  const dialog = within(await screen.findByRole('dialog'))
  for (const text of ['走道燈', '走廊', 'lamp']) expect(dialog.getByText(text)).toBeTruthy()
  expect(dialog.getByRole('link', { name: '「走道燈」的 QR Code' }).getAttribute('href')).toBe(
    `${location.origin}/DeviceInfo/h1/lamp`,
  )
  await user.click(dialog.getByRole('button', { name: /列\s?印/ }))
  expect(print).toHaveBeenCalledTimes(1)
})
