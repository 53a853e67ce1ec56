import { z } from 'zod'
import { type OddValue, readValid } from '../../kernel/read-valid.ts'
import { Millis, PeripheralType, PeripheralUID } from '../../kernel/scalars.ts'
import { diagnostics, type CommandValues } from '../capabilities/capability.ts'
import { deviceType } from './registry.ts'

/**
 * Last known state of one device as published to screens: parsed, ordered and merged (§3 Device live status). Values are the status
 * fields of the type's capabilities and `diagnostics`; null if the last value was unusable and the state is therefore unknown.
 * Timestamp and updateAt in epoch ms.
 */
export const DeviceStatus = z.looseObject({
  PeripheralUID,
  PeripheralType,
  /** Time of the measurement by the device's clock. */
  Timestamp: Millis,
  /** Time at which the gateway stored it. */
  updateAt: Millis,
})
export type DeviceStatus = z.infer<typeof DeviceStatus>

/** One device in a hub's report, before its type is known. */
export const ReportedPeripheral = z.looseObject({ PeripheralUID, Timestamp: z.number().optional() })

const statusSchemas = new Map<string, z.ZodObject>()
const commandSchemas = new Map<string, z.ZodObject>()

/**
 * Parses the status fields of a report: those of any device and those of its type. Other fields are dropped.
 *
 * errors  undefined for a type that this version does not know; a failed parse lists the invalid fields
 */
export function parseStatusFields(
  type: string,
  report: unknown,
): z.ZodSafeParseResult<CommandValues> | undefined {
  return statusSchemaOf(type)?.safeParse(report) as z.ZodSafeParseResult<CommandValues> | undefined
}

function statusSchemaOf(type: string): z.ZodObject | undefined {
  const known = deviceType(type)
  if (!known) return undefined
  let schema = statusSchemas.get(type)
  if (!schema) {
    schema = z
      .object(
        Object.assign({}, diagnostics.status, ...known.capabilities.map((c) => c.status)) as z.ZodRawShape,
      )
      .partial()
    statusSchemas.set(type, schema)
  }
  return schema
}

/**
 * Reads each field like `parseStatusFields`, but an unusable value becomes null (unknown) and does not affect other fields.
 *
 * oddValues  receives the unusable values; a reported null is not odd
 */
export function readStatusFields(
  type: string,
  report: Readonly<Record<string, unknown>>,
  oddValues: OddValue[],
): CommandValues | undefined {
  const schema = statusSchemaOf(type)
  if (!schema) return undefined
  const values: CommandValues = {}
  for (const [field, fieldSchema] of Object.entries(schema.shape))
    if (report[field] !== undefined)
      values[field] = readValid(fieldSchema as z.ZodType, report[field], field, oddValues) ?? null
  return values
}

/**
 * Validates the values of a command by type: at least one, all of them command fields of its capabilities.
 *
 * errors  undefined for a type without commands
 */
export function parseCommandValues(
  type: string,
  values: unknown,
): z.ZodSafeParseResult<CommandValues> | undefined {
  const shape = Object.assign(
    {},
    ...(deviceType(type)?.capabilities ?? []).map((c) => c.command),
  ) as z.ZodRawShape
  if (Object.keys(shape).length === 0) return undefined
  let schema = commandSchemas.get(type)
  if (!schema) {
    schema = z
      .strictObject(shape)
      .partial()
      .refine((v) => Object.keys(v).length > 0, 'required') as unknown as z.ZodObject
    commandSchemas.set(type, schema)
  }
  return schema.safeParse(values) as z.ZodSafeParseResult<CommandValues>
}
