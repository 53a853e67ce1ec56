import { z } from 'zod'
import {
  applies,
  OnOff,
  type Capability,
  type Choices,
  type CommandValues,
  type Meaning,
} from '../capabilities/capability.ts'

/** What a field holds, as far as any screen can draw it: a relay, one of some names, a figure, or something of its own. */
export type FieldShape =
  | { as: 'onOff' }
  | { as: 'choice'; choices: Choices }
  | { as: 'number'; min: number | undefined; max: number | undefined; step: number | undefined }
  | { as: 'other' }

const OTHER: FieldShape = { as: 'other' }

/** The shape of one field: of what a command may set where it may set it, of what is reported otherwise. */
export function fieldShape({ choices, command, status }: Capability, field: string): FieldShape {
  const named = choices?.[field]
  if (named) return { as: 'choice', choices: named }
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

/** Of what a figure must be a whole multiple, which zod keeps only among its checks. */
function multipleOf(schema: z.ZodNumber): number | undefined {
  for (const { _zod } of schema._zod.def.checks ?? [])
    if (_zod.def.check === 'multiple_of') return Number((_zod.def as z.core.$ZodCheckMultipleOfDef).value)
  return undefined
}

/** The fields that any screen can draw, in the capability's order. */
export const drawnFields = (capability: Capability): string[] =>
  Object.keys(capability.status).filter((field) => fieldShape(capability, field).as !== 'other')

/** The fields that one line of a list shows. */
export const summaryFields = (capability: Capability): readonly string[] =>
  capability.summary ?? drawnFields(capability).slice(0, 2)

/** The choice that a value stands for, or undefined for one without a name. */
export const choiceOf = (choices: Choices, value: unknown): Choices[number] | undefined =>
  choices.find(([one]) => one === value)

/** What a device's reported values ask of people: an alarm before a warning; undefined when all is well. */
export function meaningOf(
  capabilities: readonly Capability[],
  status: CommandValues | undefined,
): Exclude<Meaning, 'on'> | undefined {
  let found: Exclude<Meaning, 'on'> | undefined
  for (const capability of capabilities)
    if (capability.choices && applies(capability, status))
      for (const [field, choices] of Object.entries(capability.choices)) {
        const meaning = choiceOf(choices, status?.[field])?.[2]
        if (meaning === 'alarm') return meaning
        if (meaning === 'warning') found = meaning
      }
  return found
}
