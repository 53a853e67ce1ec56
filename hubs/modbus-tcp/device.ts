import type { ModbusRow } from '../../contract/resources/modbus-table.ts'
import { type MeterField, meterFieldsOf } from '../../contract/rules/device/modbus-meter.ts'
import { decode, encode, settle } from '../../contract/rules/device/modbus-values.ts'
import type { Clock } from '../../device-link/clock.ts'
import { CommandRefused } from '../lib/commands.ts'
import { planReads, type ReadBlock, type ReadLimits, split } from './read-plan.ts'
import { ModbusException, type ModbusServer, Unreachable } from './server.ts'

/** A row whose address the device does not have is looked for again after so many ms. */
const LOOK_AGAIN = 5 * 60_000
const ILLEGAL_ADDRESS = 2
const ILLEGAL_VALUE = 3

export type Values = Record<string, number | null>

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
  let plan: ReadBlock[] = []
  /** Rows whose address the device refuses, and when to look again. */
  const absent = new Map<string, number>()
  let last: Snapshot | undefined
  let generation = 0

  /** Reads a block into `values`; one that the device refuses for an address is read in parts from then on. */
  async function readBlock(block: ReadBlock, values: Values): Promise<ReadBlock[]> {
    const now = clock.now()
    if (block.rows.every(({ Key }) => (absent.get(Key) ?? 0) > now)) return [block]
    try {
      const words = await server.read(unit, block.area, block.address, block.count)
      for (const row of block.rows) {
        values[row.Key] = decode(row, words.slice(row.Address - block.address))
        absent.delete(row.Key)
      }
      return [block]
    } catch (error) {
      if (!(error instanceof ModbusException)) throw error
      const isSplit = error.code === ILLEGAL_ADDRESS || error.code === ILLEGAL_VALUE
      if (!isSplit) return [block]
      const [row, ...more] = block.rows
      if (row && more.length === 0) {
        absent.set(row.Key, now + LOOK_AGAIN)
        return [block]
      }
      const parts: ReadBlock[] = []
      for (const part of split(block)) parts.push(...(await readBlock(part, values)))
      return parts
    }
  }

  let reading: Promise<unknown> = Promise.resolve()

  /** One reading after the other, so that an older one never ends last. */
  function poll(): Promise<boolean | undefined> {
    const next = reading.then(readAll)
    reading = next.catch(() => {})
    return next
  }

  /**
   * Reads every row. Rows that the device refuses are null; when it does not answer at all, every row is.
   *
   * returns  whether anything shows otherwise than before; undefined when the table changed meanwhile
   */
  async function readAll(): Promise<boolean | undefined> {
    const of = generation
    const values: Values = Object.fromEntries(rows.map(({ Key }) => [Key, null]))
    const learned: ReadBlock[] = []
    try {
      for (const block of plan) learned.push(...(await readBlock(block, values)))
      if (of === generation) plan = learned
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error
      for (const key in values) values[key] = null
    }
    if (of !== generation) return undefined
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
      plan = planReads(rows, limits)
      absent.clear()
      last = undefined
      generation++
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
