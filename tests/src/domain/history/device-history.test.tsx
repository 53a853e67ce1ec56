import { screen, within } from '@testing-library/react'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { history } from '../../../../contract/devices/history-calls.ts'
import { home } from '../../../../contract/homes/home.ts'
import { personal, DEFAULT_PERSONAL_CONFIG } from '../../../../contract/people/personal-calls.ts'
import DeviceHistory from '../../../../src/domain/history/device-history.tsx'
import { loadNamespaces } from '../../../../src/lib/i18n/i18n.ts'
import { answers, server } from '../../../support/msw.ts'
import { aPeripheral } from '../../../support/peripheral.ts'
import { aHome, openPage, prepareSession } from '../../support/page.tsx'
import { PATIENT } from '../../../support/patient.ts'

// jsdom has no canvas.
const drawn = vi.hoisted(() => ({ keys: [] as string[], axes: [] as { unit: string; fromZero?: boolean }[] }))
vi.mock('../../../../src/ui/chart/plot.ts', () => ({
  createPlot: (_: unknown, { model }: { model: { series: { key: string }[]; axes: typeof drawn.axes } }) => {
    const draw = ({ series, axes }: typeof model) => {
      drawn.keys = series.map(({ key }) => key)
      drawn.axes = axes
    }
    draw(model)
    return { draw, restyle() {}, resize() {}, point: () => 0, destroy() {} }
  },
}))

const quantity = (Field: string, Unit: string) => ({
  Field,
  Kind: 'measured' as const,
  Unit,
  Label: null,
  First: null,
  Last: null,
})
const QUANTITIES = [quantity('AvgElectricCurrent', 'A'), quantity('Power', 'W'), quantity('Voltage', 'V')]

beforeAll(() => loadNamespaces(['charts', 'history', 'devices']))
beforeEach(() => {
  prepareSession()
  server.use(
    answers(home.operations.list, [aHome()]),
    answers(personal.getPersonalConfig, DEFAULT_PERSONAL_CONFIG),
    answers(history.listHistoryQuantity, {
      Devices: [
        {
          PeripheralUID: 'a',
          PeripheralName: '總表',
          PeripheralType: '514',
          RoomID: 0,
          Quantities: QUANTITIES,
        },
      ],
      NextCursor: null,
    }),
    answers(history.getHistorySeries, () =>
      QUANTITIES.map(({ Field, Kind, Unit }) => ({
        PeripheralUID: 'a',
        Field,
        Kind,
        Unit,
        GapMs: null,
        BucketMs: 0,
        Timestamps: [Date.now() - 60_000],
        Values: [1],
        Min: null,
        Max: null,
        Unknown: [],
      })),
    ),
  )
})

it('shows power from zero at first, and others as they are chosen, of two units at most', async () => {
  const { user } = openPage(
    <DeviceHistory device={aPeripheral({ PeripheralUID: 'a', PeripheralType: '514' })} />,
    '/',
    '/',
  )
  const legend = await screen.findByRole('list', { name: /圖例/ })
  const pressed = () =>
    within(legend)
      .getAllByRole('button', { pressed: true })
      .map(({ textContent }) => textContent)
  await vi.waitFor(() => expect(drawn.keys).toEqual(['a:Power']), PATIENT)
  expect(drawn.axes).toMatchObject([{ unit: 'kW', fromZero: true }])
  expect(pressed()).toEqual(['功率'])
  await user.click(within(legend).getByRole('button', { name: '電流' }))
  expect(drawn.keys).toEqual(['a:Power', 'a:AvgElectricCurrent'])
  await user.click(within(legend).getByRole('button', { name: '電壓' }))
  expect(pressed()).toEqual(['電流', '電壓'])
  await user.click(within(legend).getByRole('button', { name: '電流' }))
  expect(drawn.keys).toEqual(['a:Voltage'])
})
