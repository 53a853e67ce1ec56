import { z } from 'zod'
import { defineResource, eventsOf } from '../../kernel/define-resource.ts'
import { ModbusKey, ModbusTableID, Name, Version } from '../../kernel/scalars.ts'
import { METER_FIELDS, meterFactor } from './modbus-meter.ts'

export const MAX_MODBUS_ROWS = 125

/** The four tables of a Modbus device (Modbus Application Protocol 1.1b3, 4.3). */
export const MODBUS_AREAS = ['coil', 'discrete', 'input', 'holding'] as const
export type ModbusArea = (typeof MODBUS_AREAS)[number]

/** Type of a value: `bool` is a coil or one bit of a register; other types take one register per 16 bits. */
export const MODBUS_TYPES = [
  'bool',
  'int16',
  'uint16',
  'int32',
  'uint32',
  'int64',
  'uint64',
  'float32',
  'float64',
] as const
export type ModbusType = (typeof MODBUS_TYPES)[number]

/** Fields of a row that locate its value. */
export interface ModbusPlace {
  Area: ModbusArea
  Address: number
  DataType: ModbusType
  Bit: number | null
}

/** Areas of single bits; their values are bool. */
export const isBitArea = (area: ModbusArea): boolean => area === 'coil' || area === 'discrete'

/** Areas that the protocol can write. */
export const isWritableArea = (area: ModbusArea): boolean => area === 'coil' || area === 'holding'

const WORDS: Record<ModbusType, number> = {
  bool: 1,
  int16: 1,
  uint16: 1,
  int32: 2,
  uint32: 2,
  float32: 2,
  int64: 4,
  uint64: 4,
  float64: 4,
}

export const MAX_MODBUS_SENTINELS = 8

/** Raw values by which meters of each type report that they have no value; NaN always means no value. */
export const DEFAULT_SENTINELS: Record<ModbusType, readonly string[]> = {
  bool: [],
  int16: ['0x8000'],
  uint16: ['0xFFFF'],
  int32: ['0x80000000', '0x7FFFFFFF'],
  uint32: ['0xFFFFFFFF'],
  int64: ['0x8000000000000000', '0x7FFFFFFFFFFFFFFF'],
  uint64: ['0xFFFFFFFFFFFFFFFF'],
  float32: [],
  float64: [],
}

/** Sentinel values of a row; the default for rows with a meter field is that of the type. */
export const sentinelsOf = ({
  Sentinels,
  Field,
  DataType,
}: {
  Sentinels?: readonly string[] | undefined
  Field: string | null
  DataType: ModbusType
}): readonly string[] => Sentinels ?? (Field === null ? [] : DEFAULT_SENTINELS[DataType])

/** Number of addresses that a value takes: registers, or bits in bit areas. */
export const registersOf = ({ DataType }: Pick<ModbusPlace, 'DataType'>): number => WORDS[DataType]

interface Checked extends ModbusPlace {
  Sentinels?: readonly string[] | undefined
  Access: 'r' | 'rw'
  Min: number | null
  Max: number | null
  Field: string | null
  Unit: string
}

/** Contradictions between the fields of a row, each with a reason key of `errors.fields`. */
export function problemsOf(row: Checked): { field: string; reason: string }[] {
  const problems: { field: string; reason: string }[] = []
  if (isBitArea(row.Area) && row.DataType !== 'bool') problems.push({ field: 'DataType', reason: 'bitArea' })
  if (row.Bit !== null && (row.DataType !== 'bool' || isBitArea(row.Area)))
    problems.push({ field: 'Bit', reason: 'noBit' })
  // Writing one bit would overwrite the other bits of the register, which may be changing.
  if (row.Access === 'rw' && (!isWritableArea(row.Area) || row.Bit !== null))
    problems.push({ field: 'Access', reason: 'readOnly' })
  if (row.Min !== null && row.Max !== null && row.Min > row.Max)
    problems.push({ field: 'Max', reason: 'tooSmall' })
  if (row.Field !== null && (row.DataType === 'bool' || meterFactor(row.Field, row.Unit) === undefined))
    problems.push({ field: 'Field', reason: 'meterUnit' })
  const digits = registersOf(row) * 4
  if (row.Sentinels?.some((raw) => raw.startsWith('0x') && raw.replace(/^0x0*/, '').length > digits))
    problems.push({ field: 'Sentinels', reason: 'tooBig' })
  if (row.Address + registersOf(row) > 65_536) problems.push({ field: 'Address', reason: 'tooBig' })
  return problems
}

/**
 * Pairs of rows that share registers of one area, as indexes. Some tables intend it (a value in two forms), but usually it is a
 * mistake, so it is a warning, not an error. Different bits of one register do not overlap.
 */
export function overlapsOf(rows: readonly ModbusPlace[]): [number, number][] {
  const pairs: [number, number][] = []
  for (const [i, a] of rows.entries())
    for (let j = i + 1; j < rows.length; j++) {
      const b = rows[j] as ModbusPlace
      if (a.Area !== b.Area) continue
      if (a.Bit !== null && b.Bit !== null && a.Bit !== b.Bit) continue
      if (a.Address < b.Address + registersOf(b) && b.Address < a.Address + registersOf(a)) pairs.push([i, j])
    }
  return pairs
}

const ORDERS = ['big', 'little'] as const
const Finite = z.number().min(-1e15).max(1e15)

/**
 * One value of a Modbus device: its address, encoding and meaning.
 *
 * Address   0-based, as on the wire; manuals often print 1-based 3xxxx and 4xxxx numbers
 * Bit       bit of a bool in a register, 0 the lowest; null uses the whole register, 0 is false
 * WordOrder for values wider than a register: big has the high word first (ABCD), little swaps the words (CDAB)
 * value     raw x Scale + Offset, in Unit
 * Min, Max  limits for writing, in Unit
 * Sentinels raw values, in hexadecimal and high word first, by which the device reports that it has no value; default for a
 *           meter field: those of the type (`sentinelsOf`). NaN is never a value
 * Field     meter field to which the value is assigned; Unit determines the conversion (kW to W, Wh to kWh)
 */
export const ModbusRowFields = z.object({
  Key: ModbusKey,
  Label: Name,
  Group: z.string().trim().max(64, 'tooLong'),
  Area: z.enum(MODBUS_AREAS),
  Address: z.number().int().min(0, 'tooSmall').max(65_535, 'tooBig'),
  DataType: z.enum(MODBUS_TYPES),
  Bit: z.number().int().min(0, 'tooSmall').max(15, 'tooBig').nullable(),
  ByteOrder: z.enum(ORDERS),
  WordOrder: z.enum(ORDERS),
  Scale: Finite.refine((scale) => Math.abs(scale) >= 1e-9, 'invalid'),
  Offset: Finite,
  Unit: z.string().trim().max(16, 'tooLong'),
  Decimals: z.number().int().min(0, 'tooSmall').max(9, 'tooBig'),
  Access: z.enum(['r', 'rw']),
  Min: Finite.nullable(),
  Max: Finite.nullable(),
  Field: z.enum(METER_FIELDS).nullable(),
  Sentinels: z
    .array(z.string().regex(/^0x[0-9A-Fa-f]{1,16}$/, 'hexadecimal'))
    .max(MAX_MODBUS_SENTINELS, 'tooManyRows')
    .optional(),
})

/** Row whose fields are consistent. */
export const ModbusRow = ModbusRowFields.superRefine((row, context) => {
  for (const { field, reason } of problemsOf(row))
    context.addIssue({ code: 'custom', path: [field], message: reason })
})
export type ModbusRow = z.infer<typeof ModbusRow>

/** Register map of one model of Modbus devices: a record of the company's library (§2 Modbus tables). */
export const ModbusTable = z.object({
  ModbusTableID,
  TableName: Name,
  Manufacturer: z.string().trim().max(64, 'tooLong'),
  Model: z.string().trim().max(64, 'tooLong'),
  /** Source of the data, and notes for users. */
  Note: z.string().trim().max(1000, 'tooLong'),
  Rows: z
    .array(ModbusRow)
    .min(1, 'required')
    .max(MAX_MODBUS_ROWS, 'tooManyRows')
    .superRefine((rows, context) => {
      const seen = { Key: new Set<unknown>(), Field: new Set<unknown>() }
      for (const [i, row] of rows.entries())
        for (const field of ['Key', 'Field'] as const) {
          const value = row[field]
          if (value === null) continue
          if (seen[field].has(value)) context.addIssue({ code: 'custom', path: [i, field], message: 'taken' })
          seen[field].add(value)
        }
    }),
})
export type ModbusTable = z.infer<typeof ModbusTable>

/** Table as stored in the library; hubs receive it without the version. */
export const StoredModbusTable = ModbusTable.extend({ Version })
export type StoredModbusTable = z.infer<typeof StoredModbusTable>

export const ModbusTableKey = ModbusTable.pick({ ModbusTableID: true })
export type ModbusTableKey = z.infer<typeof ModbusTableKey>

export const modbusTable = defineResource({
  name: 'modbusTable',
  scope: 'company',
  feature: 'device',
  record: StoredModbusTable,
  key: ['ModbusTableID'],
  events: eventsOf(ModbusTableKey, StoredModbusTable),
  operations: {
    list: {
      path: '/ListModbusTable',
      summary: "The company's Modbus tables by name.",
      sites: 'company',
      input: z.object({}),
      results: z.array(StoredModbusTable),
    },
    create: {
      path: '/CreateModbusTable',
      summary: 'Adds a Modbus table. At most 200.',
      sites: 'company',
      input: ModbusTable.omit({ ModbusTableID: true }),
      results: StoredModbusTable,
      errors: ['CONFLICT', 'LIMIT_EXCEEDED'],
    },
    update: {
      path: '/UpdateModbusTable',
      summary:
        'Changes a Modbus table and sends it to the hubs of its devices at once. Omitted fields keep their values. Rejected if Version is given and outdated.',
      sites: 'record',
      input: ModbusTableKey.extend(ModbusTable.omit({ ModbusTableID: true }).partial().shape).extend({
        Version: Version.optional(),
      }),
      results: StoredModbusTable,
      errors: ['NOT_FOUND', 'CONFLICT'],
      // Automations that use a removed value are broken.
      changes: ['automation'],
    },
    remove: {
      path: '/DeleteModbusTable',
      summary: 'Deletes a Modbus table that no device uses.',
      sites: 'record',
      input: ModbusTableKey,
      results: ModbusTableKey,
      errors: ['NOT_FOUND', 'CONFLICT'],
    },
  },
})
