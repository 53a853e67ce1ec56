import type { CommandValues } from '../../contract/devices/capabilities/capability.ts'
import type { CoverWord } from './entities/covers.ts'
import type { Entity, Quantity } from './entities/entity.ts'
import { METERED } from './entities/sensor-role.ts'
import {
  bit,
  ifKnown,
  noCommand,
  notShown,
  write,
  type ReadEntity,
  type MappingResult,
  type Behaviour,
} from './peripheral.ts'

export type Add = (type: string, part: string, behaviour: Behaviour, name?: string) => void

/** Type codes that are not in the specification (decision 0018). */
const COVER = '901'
const GATE = '902'
const BUTTON = '903'
const SIREN = '904'
const SENSOR = '905'

/** Adds covers, sirens, buttons and sensors of any unit. */
export function addUnassigned(entities: readonly Entity[], mapped: MappingResult, add: Add): void {
  const isMetered = entities.some(({ role }) => role.kind === 'sensor' && METERED.includes(role.quantity))
  for (const entity of entities) {
    const { role, slot, name } = entity
    if (role.kind === 'cover') add(role.isHeavy ? GATE : COVER, slot, coverBehaviour(entity), name)
    if (role.kind === 'siren') add(SIREN, slot, sounding(entity), name)
    if (role.kind !== 'plain') continue
    if (isMetered && role.quantity === 'frequency')
      mapped.unmapped.push(notShown(entity, 'noType', 'no field for the frequency of a meter'))
    else add(SENSOR, slot, measuring(entity, role), name ?? role.quantity)
  }
  addButtons(entities, mapped, add)
}

/** Names and units of quantities that no field of another type covers. */
const PLAIN: Partial<Record<Quantity, { quantity: string; unit: string }>> = {
  energy: { quantity: 'heat', unit: 'kWh' },
  power: { quantity: 'heatPower', unit: 'W' },
  temperature: { quantity: 'temperature', unit: '°C' },
  humidity: { quantity: 'humidity', unit: '%' },
  pm25: { quantity: 'PM2.5', unit: 'µg/m³' },
}

/** Adds, as a sensor of its own, an entity that might have been part of a heat meter or of an air sensor. */
export function addPlain(entity: Entity, add: Add): void {
  const { role, slot, name } = entity
  const plain = role.kind === 'sensor' ? PLAIN[role.quantity] : undefined
  if (plain) add(SENSOR, slot, measuring(entity, plain), name ?? slot)
}

/** Adds buttons. Many devices announce a button both as an event and as a trigger for each kind of press; the event wins. */
function addButtons(entities: readonly Entity[], mapped: MappingResult, add: Add): void {
  const eventsOf = (how: 'event' | 'trigger') =>
    entities.flatMap((entity) =>
      entity.role.kind === 'button' && entity.role.source === how ? [{ entity, part: entity.role.part }] : [],
    )
  const [events, triggers] = [eventsOf('event'), eventsOf('trigger')]
  for (const { entity } of events)
    add(BUTTON, entity.slot, pressed([entity]), events.length > 1 ? entity.name : undefined)
  if (events.length > 0) {
    for (const { entity } of triggers)
      mapped.unmapped.push(notShown(entity, 'otherValue', 'an event stands for this trigger'))
    return
  }
  const parts = new Set(triggers.map(({ part }) => part))
  for (const one of parts) {
    const ownEntities = triggers.flatMap(({ entity, part }) => (part === one ? [entity] : []))
    add(BUTTON, one, pressed(ownEntities), parts.size > 1 ? one : undefined)
  }
}

/** Adds battery and radio link values to every device; a device with nothing else is dropped. */
export function withDiagnostics(entities: readonly Entity[], mapped: MappingResult): void {
  const added = entities.flatMap((entity) =>
    entity.role.kind === 'diagnostic' ? [{ entity, field: entity.role.field }] : [],
  )
  if (added.length === 0) return
  if (mapped.peripherals.length === 0)
    mapped.unmapped.push(
      ...added.map(({ entity }) => notShown(entity, 'noType', 'of a device that is nothing')),
    )
  mapped.peripherals = mapped.peripherals.map((peripheral) => ({
    ...peripheral,
    entities: [...peripheral.entities, ...added.map(({ entity }) => entity)],
    status: (readEntity) =>
      Object.assign(
        peripheral.status(readEntity),
        ifKnown(Object.fromEntries(added.map(({ entity, field }) => [field, readEntity(entity, 'state')]))),
      ),
  }))
}

const STATES: Readonly<Record<Exclude<CoverWord, 'stopped'>, number>> = {
  closed: 1,
  open: 2,
  opening: 3,
  closing: 4,
}

/** State of a cover: its reported state, else derived from its position; a cover that stopped part of the way is open. */
function coverState(word: CoverWord | undefined, position: number | undefined): number | undefined {
  if (word !== undefined && word !== 'stopped') return STATES[word]
  if (position !== undefined) return position > 0 ? STATES.open : STATES.closed
  return word === 'stopped' ? STATES.open : undefined
}

/** Behaviour of a cover. Devices report only their state, so the last command is stored when it is sent. */
const coverBehaviour = (entity: Entity): Behaviour => ({
  entities: [entity],
  status(readEntity: ReadEntity) {
    const position = readEntity(entity, 'position') as number | undefined
    return ifKnown({
      CoverState: coverState(readEntity(entity, 'cover') as CoverWord | undefined, position),
      Position: position,
      Move: readEntity(entity, 'move'),
      TargetPosition: readEntity(entity, 'targetPosition'),
    })
  },
  command: ({ Move, TargetPosition }: CommandValues) => [
    ...(Move === undefined ? [] : [write(entity, 'move', Move as number)]),
    ...(TargetPosition === undefined ? [] : [write(entity, 'targetPosition', TargetPosition as number)]),
  ],
})

const sounding = (entity: Entity): Behaviour => ({
  entities: [entity],
  status: (readEntity) => ifKnown({ Switch: bit(readEntity(entity, 'state')) }),
  command: ({ Switch }) => [write(entity, 'state', Switch === 1)],
})

const measuring = (entity: Entity, { quantity, unit }: { quantity: string; unit: string }): Behaviour => ({
  entities: [entity],
  status(readEntity) {
    const value = readEntity(entity, 'state')
    return value === undefined ? {} : { Value: value, Unit: unit, Quantity: quantity }
  },
  command: noCommand,
})

/** One button; each kind of press may be announced separately. Its status is unknown before the first press. */
const pressed = (entities: readonly Entity[]): Behaviour => ({
  entities,
  status(readEntity) {
    const all = entities.flatMap((entity) => {
      const presses = readEntity(entity, 'presses')
      return presses === undefined
        ? []
        : [
            {
              press: readEntity(entity, 'press'),
              presses: Number(presses),
              at: Number(readEntity(entity, 'pressedAt') ?? 0),
            },
          ]
    })
    const last = all.toSorted((a, b) => b.at - a.at)[0]
    return last ? { Press: last.press, Presses: all.reduce((sum, { presses }) => sum + presses, 0) } : {}
  },
  command: noCommand,
})
