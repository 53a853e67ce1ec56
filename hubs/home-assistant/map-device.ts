import { switchFields } from '../../contract/device-kinds/capabilities/switches.ts'
import { deviceType } from '../../contract/device-kinds/registry.ts'
import { airConditioner, dehumidifier, isAirConditioner, thermostat, ventilator } from './appliances.ts'
import { addBeyond, withDiagnostics } from './beyond-specification/add.ts'
import type { Entity, Sense } from './entity.ts'
import { uidOf } from './keys.ts'
import { meterStatus, metersOf, type Meter } from './meters.ts'
import { bit, known, noCommand, write, type Look, type Mapped, type Peripheral } from './peripheral.ts'

type Behaviour = Pick<Peripheral, 'entities' | 'status' | 'command'>

/** Status field and its value for "no" and "yes", by sense (§4). */
const SENSES: Record<Sense, { type: string; field: string; values: readonly [no: number, yes: number] }> = {
  motion: { type: '754', field: 'MotionState', values: [0, 1] },
  presence: { type: '529', field: 'MotionState', values: [0, 1] },
  door: { type: '755', field: 'DoorState', values: [1, 2] },
  smoke: { type: '756', field: 'SmokeState', values: [1, 2] },
  shock: { type: '757', field: 'ShockState', values: [1, 2] },
}
const SWITCH_TYPES = ['533', '534', '535'] as const
const METERED_SWITCH_TYPES = ['518', '519', '526'] as const
/** Meters that are clamped around a wire, by their model. */
const CLAMP = /clamp|\bct\b|\bem(?:-?\d+)?\b|3em\b/i
const MAX_NAME = 64

/** Turns the entities of one device into our peripherals. Order of arrival does not matter. */
export function mapDevice(all: readonly Entity[]): Mapped {
  const entities = [...all].sort((a, b) => (a.id < b.id ? -1 : 1))
  const device = (entities.find((entity) => !entity.device.part) ?? entities[0])?.device
  const mapped: Mapped = { peripherals: [], unmapped: [] }
  if (!device) return mapped
  const relays = new Set(entities.filter(({ role }) => role.is === 'relay'))

  const add = (type: string, part: string, behaviour: Behaviour, name?: string): void => {
    if (!deviceType(type)) {
      mapped.unmapped.push({ id: behaviour.entities[0]?.id ?? '', reason: `type ${type} is not known here` })
      return
    }
    mapped.peripherals.push({
      PeripheralUID: uidOf(device.key, type, part),
      PeripheralType: type,
      PeripheralName: nameOf(device.name, name),
      ...behaviour,
    })
  }

  const { meters, without, unused, strange } = metersOf(entities)
  for (const { id } of without) mapped.unmapped.push({ id, reason: 'a meter without a counter' })
  for (const { id } of unused) mapped.unmapped.push({ id, reason: 'another counter stands for this meter' })
  for (const { id } of strange) mapped.unmapped.push({ id, reason: 'not of what the counter counts' })
  for (const meter of meters) {
    const own = relaysOf(meter, relays)
    const type = METERED_SWITCH_TYPES[own.length - 1]
    if (type) {
      for (const relay of own) relays.delete(relay)
      add(type, meter.channel, withMeter(switches(own), meter), own.length === 1 ? own[0]?.name : undefined)
    } else
      add(
        meterType(meter, device.model),
        meter.channel,
        justMeter(meter),
        meters.length > 1 ? `#${meter.channel}` : undefined,
      )
  }

  const left = [...relays]
  const gangs = SWITCH_TYPES[left.length - 1]
  if (gangs) add(gangs, '', switches(left))
  else for (const relay of left) add('533', relay.slot, switches([relay]), relay.name)

  for (const entity of entities)
    if (entity.role.is === 'light') add('532', entity.slot, dimmer(entity), entity.name)
  for (const entity of entities)
    if (entity.role.is === 'binary') {
      const { type, field, values } = SENSES[entity.role.sense]
      add(
        type,
        entity.slot,
        sensor(entity, field, values),
        several(entities, entity) ? entity.name : undefined,
      )
    }
  addAppliances(entities, add)
  addAir(entities, mapped, add)
  addBeyond(entities, mapped, add)
  withDiagnostics(entities, mapped)
  return mapped
}

/** The relays a meter measures: those of its channel; a meter of the whole device measures all of them. */
function relaysOf({ channel }: Meter, relays: ReadonlySet<Entity>): Entity[] {
  const own = [...relays].filter((relay) => channel === '' || relay.channel === channel)
  return own.length <= METERED_SWITCH_TYPES.length ? own : []
}

const meterType = (meter: Meter, model: string): string =>
  meter.phases.length === 3
    ? '522'
    : meter.phases.length === 2
      ? '521'
      : CLAMP.test(model)
        ? meter.whole.voltage
          ? '514'
          : '513'
        : '520'

function switches(relays: readonly Entity[]): Behaviour {
  const fields = switchFields(relays.length)
  return {
    entities: relays,
    status(look) {
      const status: Record<string, unknown> = {}
      for (const [i, relay] of relays.entries()) status[fields[i] as string] = bit(look(relay, 'state'))
      return known(status)
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
  status: (look) => meterStatus(meter, look),
  command: noCommand,
})

const withMeter = (relay: Behaviour, meter: Meter): Behaviour => ({
  entities: [...relay.entities, ...meter.entities],
  status: (look) => Object.assign(relay.status(look), meterStatus(meter, look)),
  command: relay.command,
})

const dimmer = (light: Entity): Behaviour => ({
  entities: [light],
  status: (look) => known({ Switch: bit(look(light, 'state')), Brightness: look(light, 'brightness') }),
  command: ({ Switch, Brightness }) => [
    ...(Brightness !== undefined && Switch !== 0 ? [write(light, 'brightness', Brightness as number)] : []),
    ...(Switch === undefined ? [] : [write(light, 'state', Switch === 1)]),
  ],
})

const sensor = (entity: Entity, field: string, [no, yes]: readonly [number, number]): Behaviour => ({
  entities: [entity],
  status(look: Look) {
    const value = look(entity, 'state')
    return value === undefined ? {} : { [field]: value === true ? yes : no }
  },
  command: noCommand,
})

const several = (entities: readonly Entity[], { role }: Entity): boolean =>
  entities.filter(
    (other) => other.role.is === 'binary' && role.is === 'binary' && other.role.sense === role.sense,
  ).length > 1

type Add = (type: string, part: string, behaviour: Behaviour, name?: string) => void

/**
 * The air: fine dust, temperature, humidity. A temperature alone only of a device that is nothing else: a plug's is its own.
 */
function addAir(entities: readonly Entity[], mapped: Mapped, add: Add): void {
  const of = (quantity: string): Entity | undefined => {
    const [best, ...others] = entities.filter(
      ({ role }) => role.is === 'sensor' && role.quantity === quantity,
    )
    for (const { id } of others)
      mapped.unmapped.push({ id, reason: `another ${quantity} stands for this device` })
    return best
  }
  const [dust, temperature, humidity] = [of('pm25'), of('temperature'), of('humidity')]
  const air = [dust, temperature, humidity].filter((one) => one !== undefined)
  const [first] = air
  if (!first) return
  if (!dust && !humidity && mapped.peripherals.length > 0) {
    for (const { id } of air) mapped.unmapped.push({ id, reason: 'no field for the temperature of a device' })
    return
  }
  add('753', first.slot, {
    entities: air,
    status: (look) =>
      known({
        PM25: dust && look(dust, 'state'),
        Temperature: temperature && look(temperature, 'state'),
        Humidity: humidity && look(humidity, 'state'),
      }),
    command: noCommand,
  })
}

function addAppliances(entities: readonly Entity[], add: Add): void {
  const climates = entities.filter(({ role }) => role.is === 'climate')
  const zones = climates.filter((entity) => !isAirConditioner(entity))
  if (zones.length > 0) add('525', '', thermostat(zones))
  for (const entity of climates)
    if (isAirConditioner(entity)) add('527', entity.slot, airConditioner(entity), entity.name)
  for (const entity of entities) {
    if (entity.role.is === 'dehumidifier') add('527', entity.slot, dehumidifier(entity), entity.name)
    if (entity.role.is === 'ventilator') add('527', entity.slot, ventilator(entity), entity.name)
  }
}

/** The device's name, and the part's where it says more; at most 64 characters. */
function nameOf(device: string, part: string | undefined): string {
  const whole = !part || device.includes(part) ? device : part.includes(device) ? part : `${device} ${part}`
  return [...whole.trim()].slice(0, MAX_NAME).join('').trim() || 'device'
}
