import type { ModbusRow } from '../../contract/resources/modbus-table.ts'
import { type MeterField, meterFieldsOf } from '../../contract/rules/device/modbus-meter.ts'
import { encode, settle } from '../../contract/rules/device/modbus-values.ts'
import type { Clock } from '../../device-link/clock.ts'
import { CommandRefused } from '../lib/commands.ts'
import type { ReadLimits } from './read-plan.ts'
import { createReader, type Values } from './reader.ts'
import type { ModbusServer } from './server.ts'

/** What a device showed when it was last read. */
export interface Snapshot {
  /** Epoch ms. */
  at: number
  ModbusValues: Values
  /** Those of them that are a meter's fields. */
  meter: Partial<Record<MeterField, number>>
}

export interface DeviceOptions {
  unit: number
  server: ModbusServer
  limits: ReadLimits
  clock: Clock
}

/** One unit of a Modbus server, read by its table. */
export type ModbusDevice = ReturnType<typeof createDevice>

export function createDevice({ unit, server, limits, clock }: DeviceOptions) {
  let rows: readonly ModbusRow[] = []
  const reader = createReader({ unit, server, limits, clock })
  let last: Snapshot | undefined

  let reading: Promise<unknown> = Promise.resolve()

  /** One reading after the other, so that an older one never ends last. */
  function poll(): Promise<boolean | undefined> {
    const next = reading.then(readAll)
    reading = next.catch(() => {})
    return next
  }

  /**
   * Reads every row. Rows that the device refuses or does not answer for are null; if it does not answer at all, all are.
   *
   * returns  whether anything shows otherwise than before; undefined when the table changed meanwhile
   */
  async function readAll(): Promise<boolean | undefined> {
    const values = await reader.read()
    if (!values) return undefined
    const before = last
    last = { at: clock.now(), ModbusValues: values, meter: meterFieldsOf(rows, values) }
    return !before || rows.some(({ Key }) => before.ModbusValues[Key] !== values[Key])
  }

  return {
    unit,
    poll,
    /** What it last showed; undefined before its first reading and without a table. */
    get last() {
      return last
    },
    get hasTable() {
      return rows.length > 0
    },
    /** Reads by another table from now on; an empty one ends the reading. */
    setRows(next: readonly ModbusRow[]): void {
      if (JSON.stringify(next) === JSON.stringify(rows)) return
      rows = next
      reader.setRows(rows)
      last = undefined
    },
    /**
     * Writes values by their keys, then reads the device.
     *
     * errors  CommandRefused with the reason
     */
    async write(wanted: Readonly<Record<string, number>>): Promise<void> {
      const writes = Object.entries(wanted).map(([key, value]) => {
        const row = rows.find(({ Key }) => Key === key)
        const held = row && settle(row, value)
        const words = row && held !== undefined ? encode(row, held) : undefined
        if (!row || !words) throw new CommandRefused(`the table does not let ${key} be ${value}`)
        return { row, words }
      })
      for (const { row, words } of writes)
        try {
          await server.write(unit, row.Area, row.Address, words)
        } catch (error) {
          throw new CommandRefused(`${row.Key}: ${(error as Error).message}`)
        }
      await poll()
    },
  }
}
