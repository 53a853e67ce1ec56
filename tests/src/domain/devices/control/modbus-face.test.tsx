import { screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { MemoryRouter } from 'react-router'
import { beforeEach, describe, expect, it } from 'vitest'
import type { CommandValues } from '../../../../../contract/devices/capabilities/capability.ts'
import { DEFAULT_PERSONAL_CONFIG, personal } from '../../../../../contract/people/personal-calls.ts'
import type { Face, FaceProps } from '../../../../../src/domain/devices/control/face.ts'
import Meter from '../../../../../src/domain/devices/control/meter.tsx'
import Modbus from '../../../../../src/domain/devices/control/modbus.tsx'
import { beginAs, drawFace, knownCapability } from '../../../../support/device-screens.tsx'
import { answers, server } from '../../../../support/msw.ts'
import { aPeripheral } from '../../../../support/peripheral.ts'

const Both: Face = (props: FaceProps): ReactNode => (
  <MemoryRouter>
    <Modbus {...props} />
    <Meter {...props} capability={knownCapability(props.device.PeripheralType, 'meter')} />
  </MemoryRouter>
)
const draw = (ModbusTableID: string | null, status?: CommandValues) =>
  drawFace(
    Both,
    aPeripheral({ PeripheralUID: 'plc', PeripheralType: '758', ModbusTableID }),
    knownCapability('758', 'modbus'),
    { status },
  )

beforeEach(async () => {
  await beginAs()
  server.use(answers(personal.getPersonalConfig, DEFAULT_PERSONAL_CONFIG))
})

describe('a Modbus device in the panel', () => {
  it('says that it has no table yet, instead of an empty meter', () => {
    draw(null)
    expect(screen.getByText('尚未指定對應表')).toBeTruthy()
    expect(screen.queryByText('累計用電量')).toBeNull()
  })

  it('counts its values and the unreadable ones', () => {
    draw('t1', { ModbusValues: { a: 1, b: null } })
    expect(screen.getByText('2 個數值')).toBeTruthy()
    expect(screen.getByText('1 個無法讀取')).toBeTruthy()
    expect(screen.queryByText('累計用電量')).toBeNull()
  })

  it('is shown as a meter if it measures energy', () => {
    draw('t1', { ModbusValues: { a: 1 }, AccumulatePower: 12.5, Power: 800 })
    expect(screen.getByText('累計用電量').nextSibling?.textContent).toBe('12.50kWh')
    expect(screen.queryByRole('table')).toBeNull()
  })

  it('lists exactly the lines that it measures', () => {
    draw('t1', { AccumulatePower: 12.5, Power1: 800, Voltage1: 220, Voltage2: 221 })
    expect(screen.getAllByRole('rowheader').map(({ textContent }) => textContent)).toEqual(['L1', 'L2'])
  })
})

it('is shown as a meter before the first report if it is only that', () => {
  drawFace(Meter, aPeripheral({ PeripheralUID: 'm', PeripheralType: '514' }), knownCapability('514', 'meter'))
  expect(screen.getByText('累計用電量')).toBeTruthy()
})
