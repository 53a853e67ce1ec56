import { z } from 'zod'

/** Values a command sets, by status field, e.g. { Switch1: 1 }. */
export type CommandValues = Record<string, unknown>

/**
 * One thing a device can do. Its status fields and its command fields carry the same names, so that a report
 * confirms a command by showing the value the command asked for.
 */
export interface Capability {
  /** Names the face that draws it and the simulator part that plays it. */
  name: CapabilityName
  /** Fields of a report; each may be absent from any one report. */
  status: Record<string, z.ZodType>
  /** Fields a command may set. Empty for sensors. */
  command: Record<string, z.ZodType>
  /** Unit by field, for fields that have one. */
  units: Record<string, string>
  /** What the values of a field are called: names of `devices.values.<name>` in the locales, by value. */
  choices?: Readonly<Record<string, Choices>>
  /** Whether its values that mean alarm endanger life: fire, smoke, gas, a water leak, a call for help. */
  lifeSafety?: boolean
  /** Fields that count what people do, e.g. presses: each change of one is an event, as one of a state is. */
  counters?: readonly string[]
  /** Fields that one line of a list shows; the first two that can be told in a word or a figure if absent. */
  summary?: readonly string[]
  /** Fields that go by another name of `devices.fields` than their own. */
  labels?: Readonly<Record<string, string>>
  /** What screens ask before they give a command that may hurt somebody or disturb many (experience, Devices 8). */
  asksFirst?(values: CommandValues): Question | undefined
  /** The capability is there only while the device reports these values, e.g. which appliance a TaiSEIA device is. */
  when?: Readonly<Record<string, number>>
  /** Whether a command may be given at this point, e.g. the next step of a calibration; always if absent. */
  allows?(values: CommandValues, status: CommandValues | undefined): boolean
}

/** What is asked before a command is given: names of `devices.confirm` in the locales. */
export type Question = 'closeContact' | 'openContact' | 'soundSiren' | 'silenceSiren' | 'moveGate'

/** What a value asks of the people around: nothing unless it says so. */
export type Meaning = 'on' | 'warning' | 'alarm'

/** Names by value, in the order they are offered, and what a value means where it means something. */
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

/** A number that is one of the choices. */
export const oneOf = (choices: Choices): z.ZodType<number> =>
  z.literal(choices.map(([value]) => value) as [number, ...number[]])

/** Whether the device has the capability now: always, or while it reports what the capability asks for. */
export const applies = (
  { when }: Pick<Capability, 'when'>,
  status: Readonly<Record<string, unknown>> | undefined,
): boolean => !when || Object.entries(when).every(([field, value]) => status?.[field] === value)
