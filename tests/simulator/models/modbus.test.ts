import { describe, expect, it } from 'vitest'
import { ModbusTable } from '../../../contract/devices/modbus/modbus-table.ts'
import { parseStatusFields } from '../../../contract/devices/kinds/status.ts'
import { meterFieldsOf } from '../../../contract/devices/modbus/modbus-meter.ts'
import { confirms } from '../../../contract/devices/status-order.ts'
import { modbusMeter, SIMULATED_ROWS } from '../../../simulator/models/meters.ts'
import { CALM } from '../../../simulator/models/model.ts'
import { demoModbusTable } from '../../../simulator/demo/modbus-table.ts'

const busy = { ...CALM, watts: 30_000, volts: 380, powerFactor: 0.9 }
const running = modbusMeter.step(modbusMeter.make('758', { kwh: 100 }), 3_600, busy)
type Report = { ModbusValues: Record<string, number | null>; AccumulatePower: number }

describe('a simulated Modbus meter', () => {
  it('has in its registers what it reports as a meter', () => {
    const { ModbusValues, ...meter } = modbusMeter.report(running) as Report
    expect(ModbusValues['import_energy']).toBeCloseTo(130, 1)
    expect(meter).toMatchObject(meterFieldsOf(SIMULATED_ROWS, ModbusValues))
    expect(parseStatusFields('758', modbusMeter.report(running))?.success).toBe(true)
  })

  it('shows a limit that was written, and leaves everything else as it was', () => {
    const written = { ModbusValues: { alarm_limit: 80 } }
    const after = modbusMeter.report(modbusMeter.command(running, written))
    expect(confirms(after, written)).toBe(true)
    expect(after).toEqual({
      ...modbusMeter.report(running),
      ModbusValues: { ...(modbusMeter.report(running) as Report).ModbusValues, alarm_limit: 80 },
    })
  })
})

it('is explained to the demo company by a table without a contradiction', () => {
  expect(ModbusTable.omit({ ModbusTableID: true }).safeParse(demoModbusTable).error?.issues ?? []).toEqual([])
  expect(demoModbusTable.Rows.map(({ Label }) => Label)).toContain('電壓 L1')
})
