import { act, screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { diagnostics } from '../../../../../contract/devices/capabilities/capability.ts'
import { DEFAULT_PERSONAL_CONFIG, personal } from '../../../../../contract/people/personal-calls.ts'
import Cover from '../../../../../src/domain/devices/control/cover.tsx'
import Diagnostics from '../../../../../src/domain/devices/control/diagnostics.tsx'
import Fields from '../../../../../src/domain/devices/control/fields.tsx'
import Sensor from '../../../../../src/domain/devices/control/sensor.tsx'
import { StateCell } from '../../../../../src/domain/devices/cells/live-cells.tsx'
import { statuses } from '../../../../../src/data/status-store.ts'
import { changeLanguage } from '../../../../../src/lib/i18n/i18n.ts'
import { deviceType } from '../../../../../contract/devices/kinds/registry.ts'
import { beginAs, drawFace, knownCapability, openPages } from '../../../../support/device-screens.tsx'
import { answers, server } from '../../../../support/msw.ts'
import { aPeripheral } from '../../../../support/peripheral.ts'
type Values = Record<string, unknown>
const cover = (type: '901' | '902', status: Values, options: { may?: boolean } = {}) =>
  drawFace(
    Cover,
    aPeripheral({ PeripheralUID: 'one', PeripheralType: type }),
    knownCapability(type, 'cover'),
    {
      status,
      ...options,
    },
  )
const half = { CoverState: 2, Position: 40, Move: 1, TargetPosition: 40 }

beforeEach(async () => {
  await beginAs()
  server.use(answers(personal.getPersonalConfig, DEFAULT_PERSONAL_CONFIG))
})

describe('a cover in the panel', () => {
  it('shows its position, and opens, stops and closes without confirmation', async () => {
    const { user, send } = cover('901', half)
    expect(screen.getByText('已開啟')).toBeTruthy()
    expect(screen.getByText('開啟程度').nextElementSibling?.textContent).toBe('40%')
    // The last command can be repeated.
    for (const [name, Move] of [
      ['開啟', 1],
      ['停止', 0],
      ['關閉', 2],
      ['開啟', 1],
    ] as const) {
      await user.click(screen.getByRole('button', { name: spaced(name) }))
      expect(send).toHaveBeenLastCalledWith({ Move })
    }
    expect(screen.getByRole('slider', { name: '開啟程度設定' }).getAttribute('aria-valuenow')).toBe('40')
  })

  it('offers no position if the motor has none', () => {
    cover('901', { CoverState: 1, Move: 2 })
    expect(screen.queryByRole('slider')).toBeNull()
    expect(screen.getByText('已關閉')).toBeTruthy()
  })

  it('is read-only without the right to control', () => {
    cover('901', half, { may: false })
    expect(screen.queryByRole('button')).toBeNull()
    expect(screen.queryByRole('slider')).toBeNull()
    expect(screen.getByText('40%')).toBeTruthy()
  })
})

/** Name of two Chinese characters, between which Ant Design inserts a space. */
const spaced = (name: string) => new RegExp(`^${[...name].join('\\s*')}$`)

it('a gate asks for confirmation before it moves, and stops at once', async () => {
  const { user, send } = cover('902', half)
  await user.click(screen.getByRole('button', { name: spaced('停止') }))
  expect(send).toHaveBeenLastCalledWith({ Move: 0 })
  await user.click(screen.getByRole('button', { name: spaced('關閉') }))
  const question = await screen.findByRole('dialog')
  expect(question.textContent).toContain('要移動此門嗎？')
  expect(send).toHaveBeenCalledTimes(1)
  await user.click(within(question).getByRole('button', { name: spaced('移動') }))
  expect(send).toHaveBeenLastCalledWith({ Move: 2 })
})

it('a siren asks for confirmation before it sounds', async () => {
  const { user, send } = drawFace(
    Fields,
    aPeripheral({ PeripheralUID: 'one', PeripheralType: '904' }),
    knownCapability('904', 'siren'),
    { status: { Switch: 0 } },
  )
  await user.click(screen.getByRole('switch', { name: '警報器' }))
  const question = await screen.findByRole('dialog')
  expect(send).not.toHaveBeenCalled()
  await user.click(within(question).getByRole('button', { name: '啟動警報' }))
  expect(send).toHaveBeenCalledWith({ Switch: 1 })
})

it('a button shows its last press and the number of presses', () => {
  drawFace(
    Fields,
    aPeripheral({ PeripheralUID: 'one', PeripheralType: '903' }),
    knownCapability('903', 'button'),
    { status: { Press: 2, Presses: 7 } },
  )
  expect(screen.getByText('按兩下')).toBeTruthy()
  expect(screen.getByText('按下次數').nextElementSibling?.textContent).toBe('7')
})

describe('a generic sensor', () => {
  const draw = (status?: Values) =>
    drawFace(
      Sensor,
      aPeripheral({ PeripheralUID: 'one', PeripheralType: '905' }),
      knownCapability('905', 'sensor'),
      { status },
    )

  it('shows its measured quantity in its own unit, in both languages', async () => {
    draw({ Value: 812, Unit: 'ppm', Quantity: 'co2' })
    expect(screen.getByText('二氧化碳')).toBeTruthy()
    expect(screen.getByText('ppm')).toBeTruthy()
    await act(() => changeLanguage('en-US'))
    expect(screen.getByText('CO₂')).toBeTruthy()
  })

  it('shows an unknown quantity as reported, and no value before its first report', () => {
    const { report } = draw({ Value: 3, Unit: '', Quantity: 'queueLength' })
    expect(screen.getByText('queueLength')).toBeTruthy()
    report({})
    expect(screen.getByText('–')).toBeTruthy()
  })
})

describe('battery and link quality', () => {
  const draw = (status: Values) =>
    drawFace(Diagnostics, aPeripheral({ PeripheralUID: 'one', PeripheralType: '755' }), diagnostics, {
      status,
    })

  it('are shown in the panel if the device reports them', () => {
    const { report } = draw({ Battery: 80, LinkQuality: 120 })
    expect(screen.getByText('電池電量').nextElementSibling?.textContent).toContain('80')
    expect(screen.getByText('連線品質（0–255）').nextElementSibling?.textContent).toBe('120')
    expect(screen.queryByText(/電量低/)).toBeNull()
    report({ LinkQuality: 120 })
    expect(screen.queryByText('電池電量')).toBeNull()
  })

  it('warn about a low battery', () => {
    draw({ Battery: 14.6 })
    expect(screen.getByText('電量低 14%')).toBeTruthy()
  })
})

describe('a row of a device list', () => {
  const show = (PeripheralType: string, values: Values, more: object = {}) => {
    const device = aPeripheral({ PeripheralUID: 'one', PeripheralType, ...more })
    const hub = {
      ThingName: 'hub',
      DeviceName: 'hub',
      HomeID: 'h1',
      RoomID: 0,
      Online: true,
      SeenAt: Date.now(),
    }
    statuses.report({
      PeripheralUID: 'one',
      PeripheralType,
      Timestamp: Date.now(),
      updateAt: Date.now(),
      ...values,
    })
    const row = {
      id: 'one',
      name: 'one',
      RoomID: 0,
      kind: deviceType(PeripheralType)?.category ?? 'Other',
      device,
      hub,
      type: deviceType(PeripheralType),
    }
    return openPages({ '/': <StateCell row={row as never} /> }, '/')
  }

  it('shows the value of a generic sensor', async () => {
    show('905', { Value: 1013, Unit: 'hPa', Quantity: 'pressure' })
    expect(await screen.findByText('壓力')).toBeTruthy()
    expect(screen.getByText('hPa')).toBeTruthy()
  })

  it('shows how far a cover is open, and a low battery', async () => {
    show('901', { CoverState: 4, Position: 62, Battery: 5 })
    expect(await screen.findByText('關閉中')).toBeTruthy()
    expect(screen.getByText('62%')).toBeTruthy()
    expect(screen.getByText('電量低 5%')).toBeTruthy()
  })

  it('names the measured value that is outside of its limits', async () => {
    show('753', { PM25: 60 }, { ValueLimits: { PM25: { Lower: null, Upper: 35 } } })
    const tag = await screen.findByText('超出警戒值')
    expect(tag.closest('[title]')?.getAttribute('title')).toMatch(/PM2\.5 60.* µg\/m³，高於 35.* µg\/m³/)
  })
})
