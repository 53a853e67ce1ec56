import type { ModbusRow } from '../../contract/devices/modbus/modbus-table.ts'
import { isBitArea, type ModbusArea, registersOf } from '../../contract/devices/modbus/modbus-rows.ts'

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
    const joins =
      last?.area === row.Area &&
      row.Address - (last.address + last.count) <= limits.maxGap &&
      end - last.address <= maxRegisters
    if (joins) {
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
