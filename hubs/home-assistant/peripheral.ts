import type { UnmappedReason } from '../../contract/devices/channels/hub-setup.ts'
import type { CommandValues } from '../../contract/devices/capabilities/capability.ts'
import { CommandRefused } from '../lib/commands.ts'
import type { Aspect, Entity, NotShown, Publication, Value } from './entities/entity.ts'

/** The current value of an entity; undefined while it is unknown, expired, or the device is offline. */
export type ReadEntity = (entity: Entity, aspect: Aspect) => Value | undefined

/** A device of the hub, built from entities. */
export interface Peripheral {
  PeripheralUID: string
  PeripheralType: string
  PeripheralName: string
  entities: readonly Entity[]
  /** Status fields by name, without unknown ones. */
  status(readEntity: ReadEntity): Record<string, unknown>
  /** The messages to publish for a command's values, which the type allows. errors  CommandRefused */
  command(values: CommandValues, readEntity: ReadEntity): Publication[]
}

/** Part of a peripheral that depends on its kind. */
export type Behaviour = Pick<Peripheral, 'entities' | 'status' | 'command'>

/** Result of mapping a device: its peripherals, and the entities without a type. */
export interface MappingResult {
  peripherals: Peripheral[]
  unmapped: NotShown[]
}

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
 * The message that sets an aspect. The value counts as current once sent if the device never reports it.
 *
 * errors  CommandRefused if the aspect cannot be set
 */
export function write(entity: Entity, aspect: Aspect, value: Value): Publication {
  const publication = entity.writes[aspect]?.(value)
  if (!publication) throw new CommandRefused('the device cannot do that')
  const isReported = entity.reads.some((read) => read.aspect === aspect)
  return isReported ? publication : { ...publication, assumedValue: { entity, aspect, value } }
}

/** Command function of devices that only report. Errors: CommandRefused. */
export const noCommand = (): never => {
  throw new CommandRefused('the device cannot do that')
}
