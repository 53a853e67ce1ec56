import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MODBUS_PRESETS } from '../../../contract/devices/modbus/modbus-presets.ts'
import { MODBUS_AREAS, registersOf } from '../../../contract/devices/modbus/modbus-table.ts'
import { planReads, type ReadBlock, split } from '../../../hubs/modbus-tcp/reader.ts'
import { modbusRow } from '../../support/modbus-rows.ts'

const LIMITS = { maxRegisters: 120, maxGap: 16 }
const shapes = (blocks: readonly ReadBlock[]) =>
  blocks.map(({ area, address, count, rows }) => [area, address, count, rows.length])

const rows = fc.uniqueArray(
  fc.record({
    Area: fc.constantFrom(...MODBUS_AREAS),
    Address: fc.integer({ min: 0, max: 400 }),
    DataType: fc.constantFrom('uint16' as const, 'float32' as const, 'float64' as const),
  }),
  { maxLength: 60, selector: ({ Area, Address }) => `${Area} ${Address}` },
)
const limits = fc.record({
  maxRegisters: fc.integer({ min: 4, max: 125 }),
  maxGap: fc.integer({ min: 0, max: 50 }),
})

describe('a plan of reads', () => {
  it('asks for neighbours, and across small gaps, in one request', () => {
    const table = [0, 2, 4, 30, 31].map((Address) =>
      modbusRow({ Key: `k${Address}`, Address, DataType: 'int32' }),
    )
    expect(shapes(planReads(table, LIMITS))).toEqual([
      ['holding', 0, 6, 3],
      ['holding', 30, 3, 2],
    ])
  })

  it('reads a real three-phase meter in two requests', () => {
    const table = (MODBUS_PRESETS[0]?.rows ?? []).map((row) => ({ ...row, Label: row.Key }))
    expect(shapes(planReads(table, LIMITS))).toEqual([
      ['input', 0, 80, 27],
      ['input', 342, 10, 4],
    ])
  })

  it('covers every row once, within the limits of the device', () => {
    fc.assert(
      fc.property(rows, limits, (changes, limit) => {
        const table = changes.map((change, i) => modbusRow({ Key: `k${i}`, ...change }))
        const blocks = planReads(table, limit)
        expect(blocks.flatMap((block) => block.rows.map(({ Key }) => Key)).toSorted()).toEqual(
          table.map(({ Key }) => Key).toSorted(),
        )
        for (const { area, address, count, rows: inside } of blocks) {
          const most = area === 'coil' || area === 'discrete' ? 2_000 : limit.maxRegisters
          expect(count).toBeLessThanOrEqual(most)
          for (const row of inside) {
            expect(row.Area).toBe(area)
            expect(row.Address).toBeGreaterThanOrEqual(address)
            expect(row.Address + registersOf(row)).toBeLessThanOrEqual(address + count)
          }
        }
      }),
    )
  })

  it('leaves the gaps out first when a device refuses an address, and then asks row by row', () => {
    const table = [0, 1, 5, 6].map((Address) => modbusRow({ Key: `k${Address}`, Address }))
    const [block] = planReads(table, LIMITS)
    const parts = split(block as ReadBlock)
    expect(shapes(parts)).toEqual([
      ['holding', 0, 2, 2],
      ['holding', 5, 2, 2],
    ])
    expect(shapes(split(parts[0] as ReadBlock))).toEqual([
      ['holding', 0, 1, 1],
      ['holding', 1, 1, 1],
    ])
  })
})
