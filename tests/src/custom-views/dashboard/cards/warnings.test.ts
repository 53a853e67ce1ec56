import { describe, expect, it } from 'vitest'
import type { DeviceStatus } from '../../../../../contract/device-kinds/status.ts'
import { warningsOf } from '../../../../../src/custom-views/dashboard/cards/warnings.ts'
import { deviceRows } from '../../../../../src/domain/device/device-rows.ts'
import { device, hub, NOW } from '../devices.ts'

const limits = { CurrentLower: 0, CurrentUpper: 10, VoltageLower: 200, VoltageUpper: 240 }

describe('the devices that need somebody', () => {
  const rows = deviceRows({
    Things: [hub('on', true), hub('off', false)],
    Peripherals: [
      device('fault', '756', { PeripheralName: '偵煙器 2' }),
      device('smoke', '756', { PeripheralName: '偵煙器 10' }),
      device('unheard', '756', { ThingName: 'off' }),
      device('calm', '756'),
      device('silent', '756'),
      device('door', '755'),
      device('meter', '514', { PeripheralName: '總表', WarningThreshold: limits }),
    ],
  })
  const values: Record<string, Record<string, unknown>> = {
    fault: { SmokeState: 5 },
    smoke: { SmokeState: 2 },
    unheard: { SmokeState: 2 },
    calm: { SmokeState: 1 },
    door: { DoorState: 2 },
    meter: { Voltage: 251, AvgElectricCurrent: 4 },
  }
  const found = warningsOf(
    rows,
    (uid) =>
      values[uid] && ({ PeripheralUID: uid, Timestamp: NOW, updateAt: NOW, ...values[uid] } as DeviceStatus),
  )

  it('come with alarms first, without those whose hub is away, that are silent, or a door that is open', () => {
    expect(found.map(({ device, urgent }) => [device.PeripheralUID, urgent])).toEqual([
      ['smoke', true],
      ['meter', true],
      ['fault', false],
    ])
  })

  it('say what is wrong: the state itself, or which limit a reading passed', () => {
    expect(found[0]?.troubles).toMatchObject([{ field: 'SmokeState', value: 2 }])
    expect(found[1]?.breaches).toEqual([{ field: 'Voltage', value: 251, limit: 240, side: 'upper' }])
  })
})
