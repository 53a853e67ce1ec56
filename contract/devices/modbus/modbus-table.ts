import { z } from 'zod'
import { defineResource, eventsOf } from '../../kernel/define-resource.ts'
import { ModbusKey, ModbusTableID, Name, Version } from '../../kernel/scalars.ts'
import { METER_FIELDS } from './modbus-meter.ts'
import {
  MAX_MODBUS_ROWS,
  MAX_MODBUS_SENTINELS,
  MODBUS_AREAS,
  MODBUS_TYPES,
  problemsOf,
} from './modbus-rows.ts'

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
      input: z.object({}),
      results: z.array(StoredModbusTable),
    },
    create: {
      path: '/CreateModbusTable',
      summary: 'Adds a Modbus table. At most 200.',
      input: ModbusTable.omit({ ModbusTableID: true }),
      results: StoredModbusTable,
      errors: ['CONFLICT', 'LIMIT_EXCEEDED'],
    },
    update: {
      path: '/UpdateModbusTable',
      summary:
        'Changes a Modbus table and sends it to the hubs of its devices at once. Omitted fields keep their values. Rejected if Version is given and outdated.',
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
      input: ModbusTableKey,
      results: ModbusTableKey,
      errors: ['NOT_FOUND', 'CONFLICT'],
    },
  },
})
