import type { ModbusRow } from '../../contract/devices/modbus/modbus-table.ts'
import { type MeterField, meterFieldsOf } from '../../contract/devices/modbus/modbus-meter.ts'
import { decode, encode, settleValue } from '../../contract/devices/modbus/modbus-values.ts'
import type { Clock } from '../../device-link/clock.ts'
import { CommandRefused } from '../lib/commands.ts'
import { singleRowBlock, type ReadLimits, createReader, type Values } from './reader.ts'
import { isUnclear, ModbusException, type ModbusServer, NoAnswer, Unreachable } from './server.ts'

/** Maximum number of attempts to read a row back after a write without a clear answer. */
const MAX_READ_BACKS = 4
/** Pause between two of these attempts, in ms. */
const READ_BACK_PAUSE_MS = 500
/** Time after which no further attempt starts, ms: the gateway waits 5 seconds for the answer to a command. */
const READ_BACK_WITHIN_MS = 2_000

/** Values of a device at its last reading. */
export interface Snapshot {
  /** Epoch ms. */
  at: number
  ModbusValues: Values
  meter: Partial<Record<MeterField, number>>
}

export interface DeviceOptions {
  unit: number
  server: ModbusServer
  limits: ReadLimits
  clock: Clock
}

/** A write of one row: the value and the registers that hold it. */
interface RowWrite {
  row: ModbusRow
  words: readonly number[]
  value: number
}

/** One unit of a Modbus server, read by its table. */
export type ModbusDevice = ReturnType<typeof createDevice>

export function createDevice({ unit, server, limits, clock }: DeviceOptions) {
  let rows: readonly ModbusRow[] = []
  const reader = createReader({ unit, server, limits, clock })
  let last: Snapshot | undefined

  let reading: Promise<unknown> = Promise.resolve()

  /** Readings run one after the other, so that an older one never ends last. */
  function poll(): Promise<boolean | undefined> {
    const next = reading.then(readAll)
    reading = next.catch(() => {})
    return next
  }

  /**
   * Reads every row. A row is null if the device rejects it or does not answer for it; all are null if it does not answer at all.
   *
   * returns  whether any value changed; undefined if the table changed meanwhile
   */
  async function readAll(): Promise<boolean | undefined> {
    const values = await reader.read()
    if (!values) return undefined
    const before = last
    last = { at: clock.now(), ModbusValues: values, meter: meterFieldsOf(rows, values) }
    return !before || rows.some(({ Key }) => before.ModbusValues[Key] !== values[Key])
  }

  /**
   * Writes a row. If the answer does not say whether the device executed the write, the row is read back.
   *
   * errors  CommandRefused with the reason, and with the value that was read back
   */
  async function writeRow({ row, words, value }: RowWrite): Promise<void> {
    try {
      await server.write(unit, row.Area, row.Address, words)
    } catch (error) {
      const { message } = error as Error
      if (!isUnclear(error)) throw new CommandRefused(`${row.Key}: ${message}`)
      const found = await readBack(row, value)
      if (found === value) return
      const reason = error instanceof NoAnswer ? `no answer (${message})` : message
      const outcome =
        found === undefined ? 'it could not be read back' : `${found ?? 'no value'} was read back`
      throw new CommandRefused(`${row.Key}: ${reason}, and ${outcome}`)
    }
  }

  /** Reads a row until it has the wanted value or time is up; returns the last value, undefined if it cannot be read. */
  async function readBack(row: ModbusRow, expected: number): Promise<number | null | undefined> {
    const { area, address, count } = singleRowBlock(row)
    const start = clock.now()
    let found: number | null | undefined
    for (let attempt = 1; attempt <= MAX_READ_BACKS; attempt++) {
      try {
        found = decode(row, await server.readBack(unit, area, address, count))
      } catch (error) {
        if (!(error instanceof ModbusException || error instanceof Unreachable)) throw error
      }
      if (found === expected || clock.now() - start >= READ_BACK_WITHIN_MS) break
      await new Promise<void>((resolve) => clock.after(READ_BACK_PAUSE_MS, resolve))
    }
    return found
  }

  return {
    unit,
    poll,
    /** The last values; undefined before the first reading and without a table. */
    get last() {
      return last
    },
    get hasTable() {
      return rows.length > 0
    },
    /** Replaces the table; an empty one ends the reading. */
    setRows(next: readonly ModbusRow[]): void {
      if (JSON.stringify(next) === JSON.stringify(rows)) return
      rows = next
      reader.setRows(rows)
      last = undefined
    },
    /**
     * Writes values by their keys, then reads the device.
     *
     * errors  CommandRefused with the reason, and with the value that was read back if the device did not answer
     */
    async write(values: Readonly<Record<string, number>>): Promise<void> {
      const writes = Object.entries(values).map(([key, value]) => {
        const row = rows.find(({ Key }) => Key === key)
        const quantized = row && settleValue(row, value)
        const words = row && quantized !== undefined ? encode(row, quantized) : undefined
        if (!row || quantized === undefined || !words)
          throw new CommandRefused(`the table does not let ${key} be ${value}`)
        return { row, words, value: quantized }
      })
      reader.recheck(Object.keys(values))
      for (const write of writes) await writeRow(write)
      await poll()
    },
  }
}
