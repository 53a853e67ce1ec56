import { z } from 'zod'
import { OnOff, type Capability, type Choices } from '../capabilities/capability.ts'

/** Kind of a field's values for generic display: on or off, named choices, a number, or a field-specific value. */
export type FieldShape =
  | { as: 'onOff' }
  | { as: 'choice'; choices: Choices }
  | { as: 'number'; min: number | undefined; max: number | undefined; step: number | undefined }
  | { as: 'other' }

const OTHER: FieldShape = { as: 'other' }

/** Shape of one field: by its command schema if it can be set, otherwise by its status schema. */
export function fieldShape({ choices, command, status }: Capability, field: string): FieldShape {
  const fieldChoices = choices?.[field]
  if (fieldChoices) return { as: 'choice', choices: fieldChoices }
  const schema = command[field] ?? status[field]
  if (schema === OnOff) return { as: 'onOff' }
  if (!(schema instanceof z.ZodNumber)) return OTHER
  return {
    as: 'number',
    min: schema.minValue ?? undefined,
    max: schema.maxValue ?? undefined,
    step: multipleOf(schema) ?? (schema.isInt ? 1 : undefined),
  }
}

/** Step of a number; zod stores it only among its checks. */
function multipleOf(schema: z.ZodNumber): number | undefined {
  for (const { _zod } of schema._zod.def.checks ?? [])
    if (_zod.def.check === 'multiple_of') return Number((_zod.def as z.core.$ZodCheckMultipleOfDef).value)
  return undefined
}

/** Fields with a generic display, in the capability's order. */
export const drawnFields = (capability: Capability): string[] =>
  Object.keys(capability.status).filter((field) => fieldShape(capability, field).as !== 'other')

export const summaryFields = (capability: Capability): readonly string[] =>
  capability.summary ?? drawnFields(capability).slice(0, 2)

/** Choice of a value; undefined if the value has no name. */
export const choiceOf = (choices: Choices, value: unknown): Choices[number] | undefined =>
  choices.find(([choice]) => choice === value)
