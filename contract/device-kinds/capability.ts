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
}

export const CAPABILITY_NAMES = ['switches', 'meter', 'motion', 'door', 'dryContact'] as const
export type CapabilityName = (typeof CAPABILITY_NAMES)[number]

/** 0 off, 1 on (§4). */
export const OnOff = z.union([z.literal(0), z.literal(1)])
export type OnOff = z.infer<typeof OnOff>
