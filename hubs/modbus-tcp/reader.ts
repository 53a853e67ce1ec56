import {
  type ModbusRow,
  isBitArea,
  type ModbusArea,
  registersOf,
} from '../../contract/devices/modbus/modbus-table.ts'
import { decode } from '../../contract/devices/modbus/modbus-values.ts'
import type { Clock } from '../../device-link/clock.ts'
import { ModbusException, type ModbusServer, NoAnswer, Unreachable } from './server.ts'

/** One request: `count` registers or bits from `address` on, and the rows that they contain. */
export interface ReadBlock {
  area: ModbusArea
  address: number
  count: number
  rows: readonly ModbusRow[]
}

/** Limits of a server for one request. */
export interface ReadLimits {
  /** Maximum number of registers; the protocol allows 125. */
  maxRegisters: number
  /** Maximum number of unused addresses between two rows that one request may span. */
  maxGap: number
}

/** Maximum number of bits in one request, by the protocol. */
const MAX_BITS = 2_000

/** Coalesces the rows of a table into as few requests as the limits allow, in the order of their addresses. */
export function planReads(rows: readonly ModbusRow[], limits: ReadLimits): ReadBlock[] {
  const blocks: ReadBlock[] = []
  const sorted = [...rows].sort((a, b) => a.Area.localeCompare(b.Area) || a.Address - b.Address)
  for (const row of sorted) {
    const last = blocks.at(-1)
    const end = row.Address + registersOf(row)
    const maxRegisters = isBitArea(row.Area) ? MAX_BITS : limits.maxRegisters
    const isAdjacent =
      last?.area === row.Area &&
      row.Address - (last.address + last.count) <= limits.maxGap &&
      end - last.address <= maxRegisters
    if (isAdjacent) {
      const count = Math.max(last.count, end - last.address)
      blocks[blocks.length - 1] = { ...last, count, rows: [...last.rows, row] }
    } else blocks.push(singleRowBlock(row))
  }
  return blocks
}

/**
 * Splits a block after the device rejected one of its addresses: first without the gaps, which devices reject most often; a block
 * without gaps into single rows. A single row cannot be split.
 */
export function split(block: ReadBlock): ReadBlock[] {
  const runs = planReads(block.rows, { maxRegisters: block.count, maxGap: 0 })
  return runs.length > 1 ? runs : block.rows.map(singleRowBlock)
}

export const singleRowBlock = (row: ModbusRow): ReadBlock => ({
  area: row.Area,
  address: row.Address,
  count: registersOf(row),
  rows: [row],
})

/** Interval in ms after which a row that the device rejects or does not answer for is tried again. */
const RETRY_INTERVAL_MS = 5 * 60_000
const ILLEGAL_ADDRESS = 2
const ILLEGAL_VALUE = 3
const DEVICE_FAILURE = 4
const PARITY_ERROR = 8
const TARGET_SILENT = 11

/** Number of requests in a row without an answer after which the reader tests whether the device answers at all. */
const MAX_SILENCES = 3

/** Whether nothing usable came from the device, directly or through a gateway to its serial line. */
const isSilence = (error: ModbusException | NoAnswer): boolean =>
  error instanceof NoAnswer || error.code === TARGET_SILENT

/** Whether a single register may be the cause, so that the others can be read without it. */
const isOfRegister = (error: ModbusException | NoAnswer): boolean =>
  isSilence(error) ||
  (error instanceof ModbusException && [DEVICE_FAILURE, PARITY_ERROR].includes(error.code))

/** Whether the device refused the addresses or their number. */
const isOfAddress = (error: ModbusException | NoAnswer): boolean =>
  error instanceof ModbusException && (error.code === ILLEGAL_ADDRESS || error.code === ILLEGAL_VALUE)

const isOnlyRow = ({ rows: [row, ...otherRows] }: ReadBlock, key: string): boolean =>
  otherRows.length === 0 && row?.Key === key

export type Values = Record<string, number | null>

interface Reading {
  values: Values
  /** Keys of the rows that were read, also of those without a value. */
  read: Set<string>
  /** Whether the device has answered in this reading, and not been silent more than MAX_SILENCES times in a row since. */
  hasAnswered: boolean
  /** Number of requests in a row without an answer. */
  silences: number
  /** Generation of the table that is read. */
  of: number
}

function onResponse(reading: Reading): void {
  reading.hasAnswered = true
  reading.silences = 0
}

/** Whether the device answers a request for this row, be it with an exception. */
async function doesRespond(server: ModbusServer, unit: number, row: ModbusRow): Promise<boolean> {
  try {
    const { area, address, count } = singleRowBlock(row)
    await server.read(unit, area, address, count)
    return true
  } catch (error) {
    if (error instanceof ModbusException || error instanceof NoAnswer) return !isSilence(error)
    throw error
  }
}

interface ReaderOptions {
  unit: number
  server: ModbusServer
  limits: ReadLimits
  clock: Clock
}

/** Reads the rows of one unit in as few requests as it answers. */
export function createReader({ unit, server, limits, clock }: ReaderOptions) {
  let rows: readonly ModbusRow[] = []
  let plan: ReadBlock[] = []
  /** Rows that could not be read alone, and the time of the next attempt. */
  const absent = new Map<string, number>()
  /** Blocks without a usable answer in their last reading. */
  const failed = new WeakSet<ReadBlock>()
  /** Number of rows that were requested to test whether a silent device answers. */
  let probes = 0
  let generation = 0

  /** Reads a block; one that cannot be read as a whole is read in parts, which are returned for the next reading. */
  async function readBlock(block: ReadBlock, reading: Reading): Promise<ReadBlock[]> {
    const now = clock.now()
    if (block.rows.every(({ Key }) => (absent.get(Key) ?? 0) > now)) return [block]
    try {
      const words = await server.read(unit, block.area, block.address, block.count)
      onResponse(reading)
      failed.delete(block)
      for (const row of block.rows) {
        reading.values[row.Key] = decode(row, words.slice(row.Address - block.address))
        reading.read.add(row.Key)
      }
      return [block]
    } catch (error) {
      if (!(error instanceof ModbusException || error instanceof NoAnswer)) throw error
      if (isSilence(error)) reading.silences++
      else onResponse(reading)
      if (isOfRegister(error)) return readAround(block, reading, error)
      if (!isOfAddress(error)) return [block]
      const [row, ...otherRows] = block.rows
      if (row && otherRows.length === 0) {
        absent.set(row.Key, now + RETRY_INTERVAL_MS)
        return [block]
      }
      return readParts(block, reading)
    }
  }

  async function readParts(block: ReadBlock, reading: Reading): Promise<ReadBlock[]> {
    const parts: ReadBlock[] = []
    for (const part of split(block)) {
      if (reading.of !== generation) break
      parts.push(...(await readBlock(part, reading)))
    }
    return parts
  }

  /**
   * Reads the rest of a block around a register without a usable answer. A block that fails once, as on a disturbed line, stays
   * whole if all of its parts can be read.
   *
   * errors  NoAnswer if the device does not answer at all
   */
  async function readAround(block: ReadBlock, reading: Reading, error: Error): Promise<ReadBlock[]> {
    if (reading.silences > MAX_SILENCES) reading.hasAnswered = false
    if (!reading.hasAnswered) {
      if (!(await respondsOnOtherRows(block, reading))) throw new NoAnswer(error.message)
      onResponse(reading)
    }
    const hasFailedBefore = failed.has(block)
    failed.add(block)
    const [row, ...otherRows] = block.rows
    if (row && otherRows.length === 0) {
      absent.set(row.Key, hasFailedBefore ? clock.now() + RETRY_INTERVAL_MS : 0)
      return [block]
    }
    const parts = await readParts(block, reading)
    const isRead = block.rows.every(({ Key }) => reading.read.has(Key))
    return isRead && !hasFailedBefore ? [block] : parts
  }

  /**
   * Requests a single row, one that was just read or each time another one, so that a silent device costs one more timeout and not one
   * for each row.
   */
  async function respondsOnOtherRows(block: ReadBlock, { read }: Reading): Promise<boolean> {
    const known = rows.filter(({ Key }) => read.has(Key))
    const candidates =
      known.length > 0 ? known : rows.filter(({ Key }) => !absent.has(Key) && !isOnlyRow(block, Key))
    const row = candidates[probes++ % candidates.length]
    return row !== undefined && doesRespond(server, unit, row)
  }

  /** The blocks of the next reading: coalesced again once no row is unreadable any longer. */
  function nextBlocks(splitBlocks: ReadBlock[], { read }: Reading): ReadBlock[] {
    const sizeBefore = absent.size
    for (const key of read) absent.delete(key)
    return sizeBefore > 0 && absent.size === 0 ? planReads(rows, limits) : splitBlocks
  }

  /**
   * Reads every row. A row is null if the device rejects it or does not answer for it; all are null if it does not answer at all.
   *
   * returns  undefined if the table changed meanwhile
   */
  async function read(): Promise<Values | undefined> {
    const of = generation
    const values: Values = Object.fromEntries(rows.map(({ Key }) => [Key, null]))
    const progress: Reading = { values, read: new Set(), hasAnswered: false, silences: 0, of }
    const splitBlocks: ReadBlock[] = []
    try {
      for (const block of plan) {
        if (of !== generation) return undefined
        splitBlocks.push(...(await readBlock(block, progress)))
      }
      if (of === generation) plan = nextBlocks(splitBlocks, progress)
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error
      for (const key in values) values[key] = null
    }
    return of === generation ? values : undefined
  }

  return {
    read,
    /** Includes these rows in the next reading, even if they could not be read before. */
    recheck(keys: Iterable<string>): void {
      for (const key of keys) if (absent.has(key)) absent.set(key, 0)
    },
    setRows(next: readonly ModbusRow[]): void {
      rows = next
      plan = planReads(rows, limits)
      absent.clear()
      generation++
    },
  }
}
