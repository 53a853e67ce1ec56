import type { UnmappedReason } from '../../contract/devices/channels/hub-setup.ts'
import { switchFields } from '../../contract/devices/capabilities/switches.ts'
import { deviceType } from '../../contract/devices/kinds/registry.ts'
import { airConditioner, dehumidifier, isAirConditioner, thermostat, ventilator } from './appliances.ts'
import { addUnassigned, addPlain, withDiagnostics, type Add } from './add.ts'
import type { Entity, Sense } from './entities/entity.ts'
import { uidOf } from './entities/keys.ts'
import { meterStatus, metersOf, type Meter } from './meters.ts'
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

/** Status field by sense, and its values for "no" and "yes" (§4). */
const SENSES: Record<Sense, { type: string; field: string; values: readonly [no: number, yes: number] }> = {
  motion: { type: '754', field: 'MotionState', values: [0, 1] },
  presence: { type: '529', field: 'MotionState', values: [0, 1] },
  door: { type: '755', field: 'DoorState', values: [1, 2] },
  smoke: { type: '756', field: 'SmokeState', values: [1, 2] },
  shock: { type: '757', field: 'ShockState', values: [1, 2] },
}
const SWITCH_TYPES = ['533', '534', '535'] as const
const METERED_SWITCH_TYPES = ['518', '519', '526'] as const
/** Models of meters that are clamped around a wire. */
const CLAMP = /clamp|\bct\b|\bem(?:-?\d+)?\b|3em\b/i
const MAX_NAME = 64

/** Converts the entities of one device to peripherals. The order of arrival does not matter. */
export function mapDevice(all: readonly Entity[]): MappingResult {
  const entities = [...all].sort((a, b) => (a.id < b.id ? -1 : 1))
  const withoutPart = entities.filter((entity) => !entity.device.part)
  const device = (withoutPart.find((entity) => !entity.device.unnamed) ?? withoutPart[0] ?? entities[0])
    ?.device
  const mapped: MappingResult = { peripherals: [], unmapped: [] }
  if (!device) return mapped
  const relays = new Set(entities.filter(({ role }) => role.kind === 'relay'))

  const markUnmapped = (entity: Entity | undefined, code: UnmappedReason, reason: string): void => {
    if (entity) mapped.unmapped.push(notShown(entity, code, reason))
  }
  const add = (type: string, part: string, behaviour: Behaviour, name?: string): void => {
    if (!deviceType(type)) {
      markUnmapped(behaviour.entities[0], 'noType', `type ${type} is not known here`)
      return
    }
    mapped.peripherals.push({
      PeripheralUID: uidOf(device.key, type, part),
      PeripheralType: type,
      PeripheralName: nameOf(device.name, name),
      ...behaviour,
    })
  }

  const heat = heatOf(entities)
  const { meters, unmetered, unused, unknown } = metersOf(entities.filter((entity) => !heat.includes(entity)))
  for (const entity of unmetered) markUnmapped(entity, 'noCounter', 'a meter without a counter')
  for (const entity of unused) markUnmapped(entity, 'otherValue', 'another counter stands for this meter')
  for (const entity of unknown) markUnmapped(entity, 'otherValue', 'not of what the counter counts')
  for (const meter of meters) {
    const ownRelays = relaysOf(meter, relays)
    const type = METERED_SWITCH_TYPES[ownRelays.length - 1]
    if (type) {
      for (const relay of ownRelays) relays.delete(relay)
      add(
        type,
        meter.channel,
        withMeter(switches(ownRelays), meter),
        ownRelays.length === 1 ? ownRelays[0]?.name : undefined,
      )
    } else
      add(
        meterType(meter, device.model),
        meter.channel,
        justMeter(meter),
        meters.length > 1 ? `#${meter.channel}` : undefined,
      )
  }

  const remaining = [...relays]
  const gangs = SWITCH_TYPES[remaining.length - 1]
  if (gangs) add(gangs, '', switches(remaining))
  else for (const relay of remaining) add('533', relay.slot, switches([relay]), relay.name)

  for (const entity of entities)
    if (entity.role.kind === 'light') add('532', entity.slot, dimmer(entity), entity.name)
  for (const entity of entities)
    if (entity.role.kind === 'binary') {
      const { type, field, values } = SENSES[entity.role.sense]
      add(
        type,
        entity.slot,
        sensor(entity, field, values),
        hasSeveral(entities, entity) ? entity.name : undefined,
      )
    }
  addAppliances(entities, add)
  for (const entity of heat) addPlain(entity, add)
  addAir(
    entities.filter((entity) => !heat.includes(entity)),
    mapped,
    add,
  )
  addUnassigned(entities, mapped, add)
  withDiagnostics(entities, mapped)
  return mapped
}

/** Whether an entity measures water or its temperature; heat meters do, electricity meters do not. */
const isOfWater = ({ role, slot }: Entity): boolean =>
  role.kind === 'plain' &&
  (role.quantity === 'flow' ||
    /^(?:m³|m3|l)\/h$|^l\/min$/i.test(role.unit) ||
    (role.quantity === 'temperature' &&
      /flow|return|supply|vorlauf|r(?:ü|ue?)cklauf|(?:^|_)t[12]_/i.test(slot)))

/**
 * Sensors of a heat meter that its announcement calls energy, power or temperature: those of a device that measures the flow or the
 * temperature of water, and neither voltage nor current.
 */
function heatOf(entities: readonly Entity[]): Entity[] {
  const quantityOf = ({ role }: Entity) => (role.kind === 'sensor' ? role.quantity : undefined)
  const isElectric = entities.some(
    (entity) =>
      entity.role.kind === 'relay' ||
      ['voltage', 'current', 'powerFactor'].includes(quantityOf(entity) ?? ''),
  )
  if (isElectric || !entities.some(isOfWater)) return []
  return entities.filter(
    (entity) =>
      ['energy', 'power', 'temperature'].includes(quantityOf(entity) ?? '') &&
      !/elec|電/i.test(`${entity.slot} ${entity.name ?? ''}`),
  )
}

/** The relays that a meter measures: those of its channel, or all relays for a meter of the whole device. */
function relaysOf({ channel }: Meter, relays: ReadonlySet<Entity>): Entity[] {
  const ownRelays = [...relays].filter((relay) => channel === '' || relay.channel === channel)
  return ownRelays.length <= METERED_SWITCH_TYPES.length ? ownRelays : []
}

const meterType = (meter: Meter, model: string): string =>
  meter.phases.length === 3
    ? '522'
    : meter.phases.length === 2
      ? '521'
      : CLAMP.test(model)
        ? meter.total.voltage
          ? '514'
          : '513'
        : '520'

function switches(relays: readonly Entity[]): Behaviour {
  const fields = switchFields(relays.length)
  return {
    entities: relays,
    status(readEntity) {
      const status: Record<string, unknown> = {}
      for (const [i, relay] of relays.entries()) status[fields[i] as string] = bit(readEntity(relay, 'state'))
      return ifKnown(status)
    },
    command: (values) =>
      relays.flatMap((relay, i) => {
        const value = values[fields[i] as string]
        return value === undefined ? [] : [write(relay, 'state', value === 1)]
      }),
  }
}

const justMeter = (meter: Meter): Behaviour => ({
  entities: meter.entities,
  status: (readEntity) => meterStatus(meter, readEntity),
  command: noCommand,
})

const withMeter = (relay: Behaviour, meter: Meter): Behaviour => ({
  entities: [...relay.entities, ...meter.entities],
  status: (readEntity) => Object.assign(relay.status(readEntity), meterStatus(meter, readEntity)),
  command: relay.command,
})

const dimmer = (light: Entity): Behaviour => ({
  entities: [light],
  status: (readEntity) =>
    ifKnown({ Switch: bit(readEntity(light, 'state')), Brightness: readEntity(light, 'brightness') }),
  command: ({ Switch, Brightness }) => [
    ...(Brightness !== undefined && Switch !== 0 ? [write(light, 'brightness', Brightness as number)] : []),
    ...(Switch === undefined ? [] : [write(light, 'state', Switch === 1)]),
  ],
})

const sensor = (entity: Entity, field: string, [no, yes]: readonly [number, number]): Behaviour => ({
  entities: [entity],
  status(readEntity: ReadEntity) {
    const value = readEntity(entity, 'state')
    return value === undefined ? {} : { [field]: value === true ? yes : no }
  },
  command: noCommand,
})

const hasSeveral = (entities: readonly Entity[], { role }: Entity): boolean =>
  entities.filter(
    (other) => other.role.kind === 'binary' && role.kind === 'binary' && other.role.sense === role.sense,
  ).length > 1

/**
 * Adds air sensors: fine dust, temperature, humidity; further ones as plain sensors. A temperature alone counts only for a device
 * without other functions: a plug measures its own temperature.
 */
function addAir(entities: readonly Entity[], mapped: MappingResult, add: Add): void {
  const additional: Entity[] = []
  const of = (quantity: string): Entity | undefined => {
    const [best, ...others] = entities.filter(
      ({ role }) => role.kind === 'sensor' && role.quantity === quantity,
    )
    additional.push(...others)
    return best
  }
  const [dust, temperature, humidity] = [of('pm25'), of('temperature'), of('humidity')]
  const air = [dust, temperature, humidity].filter((one) => one !== undefined)
  const [first] = air
  if (!first) return
  if (!dust && !humidity && mapped.peripherals.length > 0) {
    for (const entity of [...air, ...additional])
      mapped.unmapped.push(notShown(entity, 'noType', 'no field for the temperature of a device'))
    return
  }
  add('753', first.slot, {
    entities: air,
    status: (readEntity) =>
      ifKnown({
        PM25: dust && readEntity(dust, 'state'),
        Temperature: temperature && readEntity(temperature, 'state'),
        Humidity: humidity && readEntity(humidity, 'state'),
      }),
    command: noCommand,
  })
  for (const entity of additional) addPlain(entity, add)
}

function addAppliances(entities: readonly Entity[], add: Add): void {
  const climates = entities.filter(({ role }) => role.kind === 'climate')
  const zones = climates.filter((entity) => !isAirConditioner(entity))
  if (zones.length > 0) add('525', '', thermostat(zones))
  for (const entity of climates)
    if (isAirConditioner(entity)) add('527', entity.slot, airConditioner(entity), entity.name)
  for (const entity of entities) {
    if (entity.role.kind === 'dehumidifier') add('527', entity.slot, dehumidifier(entity), entity.name)
    if (entity.role.kind === 'ventilator') add('527', entity.slot, ventilator(entity), entity.name)
  }
}

/** The device's name, with the part's name if that adds anything; at most 64 characters. */
function nameOf(device: string, part: string | undefined): string {
  const fullName =
    !part || device.includes(part) ? device : part.includes(device) ? part : `${device} ${part}`
  return [...fullName.trim()].slice(0, MAX_NAME).join('').trim() || 'device'
}
