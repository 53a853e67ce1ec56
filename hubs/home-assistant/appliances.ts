import { AC_MODES, TAISEIA_TYPES } from '../../contract/devices/capabilities/taiseia.ts'
import type { ThermostatNode } from '../../contract/devices/capabilities/thermostat.ts'
import { CommandRefused } from '../lib/commands.ts'
import type { Entity, Publication, Value } from './entities/entity.ts'
import { bit, ifKnown, write, type ReadEntity, type Behaviour } from './peripheral.ts'

/** Home Assistant's names of air-conditioner modes, by the names used here. */
const MODE_WORDS: Record<string, string[]> = {
  cooling: ['cool'],
  dehumidify: ['dry'],
  fan: ['fan_only', 'fan'],
  auto: ['auto', 'heat_cool'],
  heat: ['heat'],
}
/** Names of fan levels, by FanSpeed. */
const FAN_WORDS: readonly string[][] = [
  ['auto'],
  ['low', '1'],
  ['2'],
  ['medium', 'mid', 'middle', '3'],
  ['4'],
  ['high', '5'],
]
const DEHUMIDIFIER_WORDS: readonly string[][] = [
  ['auto', 'smart'],
  ['set', 'normal', 'manual'],
  ['continuous'],
  ['clothes', 'clothes_drying', 'laundry', 'drying'],
  ['air_clean', 'purify', 'purifier'],
  ['mildew', 'anti_mold'],
  ['fan', 'fan_only'],
  ['comfort'],
  ['low_humidity'],
]

const indexOf = (words: readonly string[][], value: Value | undefined): number | undefined => {
  const found = words.findIndex((list) => list.includes(String(value).toLowerCase()))
  return found === -1 ? undefined : found
}
const offered = (modes: readonly string[], words: readonly string[] | undefined): string => {
  const found = modes.find((mode) => words?.includes(mode.toLowerCase()))
  if (found === undefined) throw new CommandRefused('the device does not have that mode')
  return found
}

/** Whether the climate entity can cool; one that only heats is a thermostat. */
export const isAirConditioner = ({ role }: Entity): boolean =>
  role.kind === 'climate' && role.modes.some((mode) => ['cool', 'dry', 'heat_cool'].includes(mode))

const modesOf = ({ role }: Entity): readonly string[] => ('modes' in role ? role.modes : [])

/** Modes that turn on a device whose last mode is unknown, in order of preference: safe in any season; a thermostat follows its target. */
const ON_MODES = { airConditioner: ['heat_cool', 'auto', 'cool', 'heat'], thermostat: ['heat', 'auto'] }

/**
 * Turns the device on or off: through the power topic if it has one, else by mode "off" and the last other mode.
 *
 * lastModes  last mode other than off, if known
 */
function power(
  entity: Entity,
  on: boolean,
  had: Value | undefined,
  preferred: readonly string[],
): Publication {
  if (entity.writes.state) return write(entity, 'state', on)
  const modes = modesOf(entity)
  const mode = on
    ? (had ?? preferred.find((one) => modes.includes(one)) ?? modes.find((one) => one !== 'off'))
    : 'off'
  if (mode === undefined) throw new CommandRefused('the device cannot be switched')
  return write(entity, 'mode', mode)
}
const isOn = (mode: Value | undefined) => (mode === undefined ? undefined : mode === 'off' ? 0 : 1)

/** Stores the last mode other than off of each entity. */
function modeMemory() {
  const lastModes = new Map<Entity, Value>()
  return {
    of: (entity: Entity) => lastModes.get(entity),
    onMode(entity: Entity, mode: Value | undefined) {
      if (mode !== undefined && mode !== 'off') lastModes.set(entity, mode)
      return mode
    },
  }
}

/** A thermostat (525): each climate entity is a node; nodes are numbered in the order of the entity ids. */
export function thermostat(zones: readonly Entity[]): Behaviour {
  const lastModes = modeMemory()
  return {
    entities: zones,
    status(readEntity) {
      const table = zones.flatMap((zone, i) => {
        const target = readEntity(zone, 'targetTemperature')
        const node = ifKnown({
          Switch: isOn(lastModes.onMode(zone, readEntity(zone, 'mode'))),
          Temperature: readEntity(zone, 'temperature'),
          TargetTemperature: typeof target === 'number' ? Math.round(target * 2) / 2 : undefined,
        })
        return Object.keys(node).length > 0 ? [{ NodeID: i + 1, ...node }] : []
      })
      return table.length > 0 ? { ThermostatTable: table } : {}
    },
    command: ({ ThermostatTable }) =>
      (ThermostatTable as ThermostatNode[]).flatMap(({ NodeID, Switch, TargetTemperature }) => {
        const zone = zones[NodeID - 1]
        if (!zone) throw new CommandRefused('the thermostat has no such zone')
        return [
          ...(Switch === undefined
            ? []
            : [power(zone, Switch === 1, lastModes.of(zone), ON_MODES.thermostat)]),
          ...(TargetTemperature === undefined ? [] : [write(zone, 'targetTemperature', TargetTemperature)]),
        ]
      }),
  }
}

/** An air conditioner (527): like the appliance, it keeps its mode while it is off. */
export function airConditioner(entity: Entity): Behaviour {
  const fanModes = entity.role.kind === 'climate' ? entity.role.fanModes : []
  const lastModes = modeMemory()
  const wordsOf = (ACMode: unknown) => MODE_WORDS[AC_MODES.find(([value]) => value === ACMode)?.[1] ?? '']
  const modeOf = (word: Value | undefined) =>
    AC_MODES.find(([, name]) => MODE_WORDS[name]?.includes(String(word)))?.[0]
  return {
    entities: [entity],
    status(readEntity: ReadEntity) {
      const mode = lastModes.onMode(entity, readEntity(entity, 'mode'))
      const target = readEntity(entity, 'targetTemperature')
      return ifKnown({
        TaiSEIAType: TAISEIA_TYPES.airConditioner,
        Switch: isOn(mode),
        ACMode: modeOf(mode),
        FanSpeed: indexOf(FAN_WORDS, readEntity(entity, 'fanMode')),
        TargetTemperature: typeof target === 'number' ? Math.round(target) : undefined,
        IndoorTemperature: readEntity(entity, 'temperature'),
      })
    },
    command({ Switch, ACMode, FanSpeed, TargetTemperature, ...others }) {
      if (Object.keys(others).length > 0) throw new CommandRefused('the device cannot do that')
      const publications: Publication[] = []
      const setsMode = ACMode !== undefined && Switch !== 0
      // Setting a mode turns the device on, unless the device has a separate switch.
      if (Switch !== undefined && (!setsMode || entity.writes.state))
        publications.push(power(entity, Switch === 1, lastModes.of(entity), ON_MODES.airConditioner))
      if (setsMode) publications.push(write(entity, 'mode', offered(modesOf(entity), wordsOf(ACMode))))
      if (FanSpeed !== undefined)
        publications.push(write(entity, 'fanMode', offered(fanModes, FAN_WORDS[FanSpeed as number])))
      if (TargetTemperature !== undefined)
        publications.push(write(entity, 'targetTemperature', TargetTemperature as number))
      return publications
    },
  }
}

/** A dehumidifier (527). */
export function dehumidifier(entity: Entity): Behaviour {
  return {
    entities: [entity],
    status(readEntity) {
      const target = readEntity(entity, 'targetHumidity')
      return ifKnown({
        TaiSEIAType: TAISEIA_TYPES.dehumidifier,
        Switch: bit(readEntity(entity, 'state')),
        DehumidifierMode: indexOf(DEHUMIDIFIER_WORDS, readEntity(entity, 'mode')),
        TargetHumidity: typeof target === 'number' ? Math.round(target / 5) * 5 : undefined,
        IndoorHumidity: readEntity(entity, 'humidity'),
      })
    },
    command({ Switch, DehumidifierMode, TargetHumidity, ...others }) {
      if (Object.keys(others).length > 0) throw new CommandRefused('the device cannot do that')
      const publications: Publication[] = []
      if (Switch !== undefined) publications.push(write(entity, 'state', Switch === 1))
      if (DehumidifierMode !== undefined) {
        const mode = offered(modesOf(entity), DEHUMIDIFIER_WORDS[DehumidifierMode as number])
        publications.push(write(entity, 'mode', mode))
      }
      if (TargetHumidity !== undefined)
        publications.push(write(entity, 'targetHumidity', TargetHumidity as number))
      return publications
    },
  }
}

/** An energy-recovery ventilator (527) with two speeds. */
export function ventilator(entity: Entity): Behaviour {
  return {
    entities: [entity],
    status(readEntity) {
      const speed = readEntity(entity, 'fanMode')
      return ifKnown({
        TaiSEIAType: TAISEIA_TYPES.ventilation,
        Switch: bit(readEntity(entity, 'state')),
        FanSpeed: speed === undefined ? undefined : speed === 'high' ? 1 : 0,
      })
    },
    command({ Switch, FanSpeed, ...others }) {
      if (Object.keys(others).length > 0 || (FanSpeed !== undefined && Number(FanSpeed) > 1))
        throw new CommandRefused('the device cannot do that')
      return [
        ...(Switch === undefined ? [] : [write(entity, 'state', Switch === 1)]),
        ...(FanSpeed === undefined ? [] : [write(entity, 'fanMode', FanSpeed === 1 ? 'high' : 'low')]),
      ]
    },
  }
}
