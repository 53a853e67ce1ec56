import { z } from 'zod'

/** Values a command sets, by status field, e.g. { Switch1: 1 }. */
export type CommandValues = Record<string, unknown>

/**
 * Capability of a device. Its status and command fields have the same names, so that a report confirms a command by containing the
 * requested value.
 */
export interface Capability {
  /** Identifies the UI component and the simulator part of the capability. */
  name: CapabilityName
  /** Status fields; a report may omit any of them. */
  status: Record<string, z.ZodType>
  /** Fields a command may set. Empty for sensors. */
  command: Record<string, z.ZodType>
  /** Unit by field, for fields that have one. */
  units: Record<string, string>
  /** Names of a field's values, by value: keys of `devices.values.<name>` in the locales. */
  choices?: Readonly<Record<string, Choices>>
  /** Whether its values that mean alarm endanger life: fire, smoke, gas, a water leak, a call for help. */
  lifeSafety?: boolean
  /** Fields that count user actions, e.g. presses: each change is an event, like that of a state. */
  counters?: readonly string[]
  /** Fields shown in one line of a list; default: the first two that have a name or a figure. */
  summary?: readonly string[]
  /** Fields whose label has another key in `devices.fields`. */
  labels?: Readonly<Record<string, string>>
  /** Confirmation question for a command that may injure someone or disturb many people. */
  needsConfirmation?(values: CommandValues): Question | undefined
  /** Values that the device must report for the capability to apply, e.g. its appliance for TaiSEIA devices. */
  when?: Readonly<Record<string, number>>
  /** Whether a command is allowed in the present state, e.g. the next step of a calibration; default: always. */
  allows?(values: CommandValues, status: CommandValues | undefined): boolean
}

/** Confirmation before a command: a key of `devices.confirm` in the locales. */
export type Question = 'closeContact' | 'openContact' | 'soundSiren' | 'silenceSiren' | 'moveGate'

/** Meaning of a value for users; values without one are normal. */
export type Meaning = 'on' | 'warning' | 'alarm'

/** Values with their names and meanings, in the order in which they are offered. */
export type Choices = readonly (readonly [value: number, name: string, meaning?: Meaning])[]

export const CAPABILITY_NAMES = [
  'switches',
  'dimmer',
  'meter',
  'motion',
  'presence',
  'door',
  'smoke',
  'shock',
  'airQuality',
  'dryContact',
  'lightHouse',
  'thermostat',
  'airConditioner',
  'dehumidifier',
  'ventilation',
  'modbus',
  'camera',
  'irRemote',
  'cover',
  'button',
  'siren',
  'sensor',
  'diagnostics',
] as const
export type CapabilityName = (typeof CAPABILITY_NAMES)[number]

/** 0 off, 1 on (§4). */
export const OnOff = z.union([z.literal(0), z.literal(1)])
export type OnOff = z.infer<typeof OnOff>

export const oneOf = (choices: Choices): z.ZodType<number> =>
  z.literal(choices.map(([value]) => value) as [number, ...number[]])

/** Whether the capability applies to the device: always, or while it reports the values of `when`. */
export const applies = (
  { when }: Pick<Capability, 'when'>,
  status: Readonly<Record<string, unknown>> | undefined,
): boolean => !when || Object.entries(when).every(([field, value]) => status?.[field] === value)

/**
 * Percent below which a battery should be replaced. Alkaline cells then last some more weeks, and makers of Zigbee and Z-Wave
 * devices warn between 10 and 20 (decision 0018).
 */
export const LOW_BATTERY = 15

/** Percent of a low battery; undefined if it is not low or not reported. */
export function lowBattery(status: Readonly<Record<string, unknown>> | undefined): number | undefined {
  const percent = status?.['Battery']
  return typeof percent === 'number' && percent < LOW_BATTERY ? percent : undefined
}

/** Additional values of any device: battery in percent, quality of its radio link from 0 to 255. */
export const diagnostics: Capability = {
  name: 'diagnostics',
  status: {
    Battery: z.number().min(0).max(100),
    LinkQuality: z.number().int().min(0).max(255),
  },
  command: {},
  units: { Battery: '%' },
}
