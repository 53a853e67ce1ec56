import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { beforeAll, expect, it, vi } from 'vitest'
import type { HistoryDevice, HistoryPick } from '../../../../contract/devices/history-calls.ts'
import { ChooseQuantities } from '../../../../src/custom-views/history/choose-quantities.tsx'
import { loadNamespaces } from '../../../../src/lib/i18n/i18n.ts'

const measured = (Field: string, Unit: string, Label: string | null = null) => ({
  Field,
  Kind: 'measured' as const,
  Label,
  Unit,
  First: 0,
  Last: 1,
})
const devices: HistoryDevice[] = [
  {
    PeripheralUID: 'air',
    PeripheralName: '會議室空氣',
    PeripheralType: '753',
    RoomID: 1,
    Quantities: [measured('PM25', 'µg/m³'), measured('Temperature', '°C'), measured('Humidity', '%')],
  },
  {
    PeripheralUID: 'plc',
    PeripheralName: '冰水主機',
    PeripheralType: '530',
    RoomID: 0,
    Quantities: [measured('ModbusValues.flow', 'm³/h', '流量')],
  },
  {
    PeripheralUID: 'old',
    PeripheralName: null,
    PeripheralType: null,
    RoomID: null,
    Quantities: [measured('ThermostatTable.2.Temperature', '°C')],
  },
]
const ROOMS = [
  { HomeID: 'h1', RoomID: 0, RoomName: '預設房間' },
  { HomeID: 'h1', RoomID: 1, RoomName: '會議室' },
]

function open() {
  const chosen = vi.fn<(picks: HistoryPick[]) => void>()
  function Page() {
    const [picks, setPicks] = useState<HistoryPick[]>([])
    return (
      <ChooseQuantities
        open
        close={() => {}}
        devices={devices}
        rooms={ROOMS}
        picks={picks}
        onChange={(next) => {
          chosen(next)
          setPicks(next)
        }}
      />
    )
  }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Page />
    </QueryClientProvider>,
  )
  return { chosen, user: userEvent.setup() }
}
const box = (name: RegExp) => screen.queryByRole('checkbox', { name })

beforeAll(() => loadNamespaces(['charts', 'history']))

it('lists every quantity of every device, including a removed one', () => {
  open()
  expect(
    within(screen.getByRole('group', { name: '冰水主機' })).getByRole('checkbox', { name: /流量/ }),
  ).toBeTruthy()
  expect(
    within(screen.getByRole('group', { name: /old/ })).getByRole('checkbox', { name: /分區 2 溫度/ }),
  ).toBeTruthy()
})

it('finds devices and quantities by their words', async () => {
  const { user } = open()
  await user.type(screen.getByRole('searchbox'), '流量')
  expect(box(/流量/)).toBeTruthy()
  expect(box(/PM2.5/)).toBeNull()
  await user.clear(screen.getByRole('searchbox'))
  await user.type(screen.getByRole('searchbox'), '會議室')
  expect(box(/流量/)).toBeNull()
  expect(box(/濕度/)).toBeTruthy()
  await user.type(screen.getByRole('searchbox'), 'xyz')
  expect(screen.getByText('沒有符合條件的裝置或數值。')).toBeTruthy()
})

it('applies the selection and allows no third unit', async () => {
  const { chosen, user } = open()
  await user.click(box(/PM2.5/) as HTMLElement)
  await user.click(box(/流量/) as HTMLElement)
  expect(chosen).toHaveBeenLastCalledWith([
    { PeripheralUID: 'air', Field: 'PM25' },
    { PeripheralUID: 'plc', Field: 'ModbusValues.flow' },
  ])
  expect(box(/濕度/)).toHaveProperty('disabled', true)
  await user.click(box(/流量/) as HTMLElement)
  expect(box(/濕度/)).toHaveProperty('disabled', false)
})
