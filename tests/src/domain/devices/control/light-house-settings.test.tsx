import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { peripheralCalls } from '../../../../../contract/devices/peripheral.ts'
import LightHouseSettings from '../../../../../src/domain/devices/control/light-house-settings.tsx'
import { queryClient } from '../../../../../src/data/api.ts'
import { loadNamespaces } from '../../../../../src/lib/i18n/i18n.ts'
import { beginAs } from '../../../../support/device-screens.tsx'
import { answers, requests, server } from '../../../../support/msw.ts'
import { aPeripheral } from '../../../../support/peripheral.ts'
const device = aPeripheral({ PeripheralUID: 'tower', PeripheralType: '515', AbnormalBlinkRate: 120 })

beforeEach(async () => {
  await beginAs()
  await loadNamespaces(['lightHouse'])
  server.use(answers(peripheralCalls.updateAdvance, device))
})

it('keeps an out-of-range number as typed with an error, and saves once it is fixed', async () => {
  const user = userEvent.setup()
  render(
    <QueryClientProvider client={queryClient}>
      <LightHouseSettings device={device} onDirty={() => {}} />
    </QueryClientProvider>,
  )
  const threshold = screen.getByLabelText('亮燈門檻')
  const rate = screen.getByLabelText('異常閃爍頻率')
  const save = screen.getByRole('button', { name: '儲存三色燈設定' })
  await user.type(threshold, '150')
  await user.clear(rate)
  await user.type(rate, '0')
  await user.tab()
  expect([threshold, rate].map((field) => (field as HTMLInputElement).value)).toEqual(['150', '0'])
  expect(await screen.findByText('數值超出範圍：太大')).toBeTruthy()
  expect(screen.getByText('數值超出範圍：太小')).toBeTruthy()
  expect((save as HTMLButtonElement).disabled).toBe(true)

  await user.clear(threshold)
  await user.type(threshold, '60')
  await user.clear(rate)
  await waitFor(() => expect((save as HTMLButtonElement).disabled).toBe(false))
  await user.click(save)
  await waitFor(() =>
    expect(requests.find(({ path }) => path === peripheralCalls.updateAdvance.path)?.body).toMatchObject({
      LightHouseThreshold: 60,
      AbnormalBlinkRate: null,
    }),
  )
})
