import type { UnmappedReason } from '../../contract/devices/channels/unmapped.ts'
import type { CommandValues } from '../../contract/devices/capabilities/capability.ts'
import { CommandRefused } from '../lib/commands.ts'
import type { Aspect, Entity, NotShown, Publication, Value } from './entity.ts'

/** The value of an entity now; undefined while it is not known, too old, or its device is away. */
export type ReadEntity = (entity: Entity, aspect: Aspect) => Value | undefined

/** One of our devices, made of entities. */
export interface Peripheral {
  PeripheralUID: string
  PeripheralType: string
  PeripheralName: string
  /** Whose values its status is made of. */
  entities: readonly Entity[]
  /** Status fields by name; those that are not known are left out. */
  status(look: ReadEntity): Record<string, unknown>
  /** What to publish for values of a command, which its type allows. errors  CommandRefused */
  command(values: CommandValues, look: ReadEntity): Publication[]
}

/** What became of a device: our peripherals, and what it has that we have no type for. */
export interface MappingResult {
  peripherals: Peripheral[]
  unmapped: NotShown[]
}

/** An entity that is not shown. */
export const notShown = (entity: Entity, code: UnmappedReason, reason: string): NotShown => ({
  id: entity.id,
  name: entity.name ?? entity.device.name,
  code,
  reason,
})

/** Fields without those that are undefined. */
export function ifKnown(fields: Record<string, unknown>): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  for (const field in fields) if (fields[field] !== undefined) result[field] = fields[field]
  return result
}

/** 1 and 0 for on and off. */
export const bit = (value: Value | undefined): 0 | 1 | undefined =>
  typeof value === 'boolean' ? (value ? 1 : 0) : undefined

/**
 * Publishes a value to an aspect. One that the device never tells of counts as taken once it is sent.
 *
 * errors  CommandRefused where the device offers no way to set it
 */
export function write(entity: Entity, aspect: Aspect, value: Value): Publication {
  const publication = entity.writes[aspect]?.(value)
  if (!publication) throw new CommandRefused('the device cannot do that')
  const isTold = entity.reads.some((read) => read.aspect === aspect)
  return isTold ? publication : { ...publication, assumes: { entity, aspect, value } }
}

/** For devices that only report. Errors: CommandRefused. */
export const noCommand = (): never => {
  throw new CommandRefused('the device cannot do that')
}
