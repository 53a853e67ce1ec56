import type { ModbusRow } from '../../contract/devices/modbus/modbus-table.ts'
import { isBitArea, type ModbusArea, registersOf } from '../../contract/devices/modbus/modbus-rows.ts'

/** One request: `count` registers or bits from `address` on, and the rows that stand in them. */
export interface ReadBlock {
  area: ModbusArea
  address: number
  count: number
  rows: readonly ModbusRow[]
}

/** What a server takes in one request. */
export interface ReadLimits {
  /** Registers in one request; the protocol allows 125. */
  maxRegisters: number
  /** Addresses that nobody wants and that are read along rather than asking twice. */
  maxGap: number
}

/** Bits in one request, by the protocol. */
const MAX_BITS = 2_000

/** Coalesces the rows of a table into as few requests as the limits allow, in the order of their addresses. */
export function planReads(rows: readonly ModbusRow[], limits: ReadLimits): ReadBlock[] {
  const blocks: ReadBlock[] = []
  const sorted = [...rows].sort((a, b) => a.Area.localeCompare(b.Area) || a.Address - b.Address)
  for (const row of sorted) {
    const last = blocks.at(-1)
    const end = row.Address + registersOf(row)
    const most = isBitArea(row.Area) ? MAX_BITS : limits.maxRegisters
    const joins =
      last?.area === row.Area &&
      row.Address - (last.address + last.count) <= limits.maxGap &&
      end - last.address <= most
    if (joins) {
      const count = Math.max(last.count, end - last.address)
      blocks[blocks.length - 1] = { ...last, count, rows: [...last.rows, row] }
    } else blocks.push(alone(row))
  }
  return blocks
}

/**
 * A block in smaller ones, after the device refused an address of it: without the gaps first, as those are what devices
 * most often refuse; a block without gaps row by row. A single row cannot be split.
 */
export function split(block: ReadBlock): ReadBlock[] {
  const runs = planReads(block.rows, { maxRegisters: block.count, maxGap: 0 })
  return runs.length > 1 ? runs : block.rows.map(alone)
}

/** A block of a single row. */
export const alone = (row: ModbusRow): ReadBlock => ({
  area: row.Area,
  address: row.Address,
  count: registersOf(row),
  rows: [row],
})
