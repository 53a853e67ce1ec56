import type { Entity, Phase, Quantity } from './entities/entity.ts'
import { ifKnown, type ReadEntity } from './peripheral.ts'
import { METERED } from './entities/sensor-role.ts'

/** Words that name a quantity rather than its subject; also matched inside "pvpower". */
const MEASURES =
  /energy|power|voltage|current|consumption|electricity|instant(?:aneous)?|accumulated?|cumulative|lifetime|active|total|factor/g
/** Short words and numbers that match only as whole words; channel and phase are known already. */
const PLAIN =
  /^(?:e|p|u|v|i|w|kw|wh|kwh|mwh|amps?|volts?|watts?|hours?|pf|sum|act|import(?:ed)?|forward|delivered|consumed|used|usage|net|draw|load|meter|measured?|value|sensor|reading|channel|ch|circuit|ct|clamp|port|outlet|socket|phase|ph|line|tariff|l?\d+|ph(?:ase)?\d|ch\d+|ct\d+|[abcn]|em1?(?:data)?|pm1?|switch|relay|light|plug|rms|real|apparent|ac|of|the|now)$/

/** The words of a sensor's name that identify its subject: "pv" of `pv_energy_total`, none of `power`. */
function subjectOf({ slot }: Entity): Set<string> {
  const words = slot.toLowerCase().split(/[^a-z0-9]+/)
  return new Set(
    words
      .flatMap((word) => word.replace(MEASURES, ' ').split(' '))
      .filter((word) => word !== '' && !PLAIN.test(word)),
  )
}

/** Names of the value for the whole device, among several of one kind. */
const TOTAL = /total|sum/i

/**
 * The sensor that measures the same subject as a counter: the one with the most words in common, then the one for the whole device,
 * then the first. Undefined if the names identify different subjects (`pv_energy`, `grid_power`), or several while the counter's
 * identifies none: a value of something else is worse than none.
 */
function pairFor(counter: Entity, sensors: readonly Entity[]): Entity | undefined {
  const subject = subjectOf(counter)
  const rated = sensors.map((sensor) => {
    const ownWords = subjectOf(sensor)
    const shared = [...ownWords].filter((word) => subject.has(word)).join('').length
    return { sensor, plain: ownWords.size === 0, shared, own: [...ownWords].sort().join(' ') }
  })
  const fitting = rated.filter(({ plain, shared }) => plain || shared > 0 || subject.size === 0)
  const isIdentified = fitting.some(({ plain, shared }) => plain || shared > 0)
  if (!isIdentified && new Set(fitting.map(({ own }) => own)).size > 1) return undefined
  const [best] = fitting.sort(
    (a, b) =>
      b.shared - a.shared ||
      Number(b.plain) - Number(a.plain) ||
      Number(TOTAL.test(b.sensor.slot)) - Number(TOTAL.test(a.sensor.slot)),
  )
  return best?.sensor
}

/** The counter of the whole device, else the first. */
const counterOf = (counters: readonly Entity[]): Entity | undefined =>
  counters.find(({ slot }) => TOTAL.test(slot)) ?? counters[0]

/** Quantities of a meter, of the whole and of its phases. */
export interface Meter {
  channel: string
  /** A counter of the whole, or one of each phase, which are added up. */
  counters: readonly Entity[]
  /** Counter of the energy that the whole feeds in, or one of each phase; empty if the device has none. */
  returned: readonly Entity[]
  total: Partial<Record<Quantity, Entity>>
  phases: readonly Partial<Record<Quantity, Entity>>[]
  entities: readonly Entity[]
}

/** A sensor of a meter, and the phase that it measures. */
interface Sensor {
  entity: Entity
  quantity: Quantity
  phase: Phase | undefined
}

/**
 * Groups the sensors of one device into meters, one for each channel.
 *
 * unmetered  sensors of a channel without a counter, which is not a meter
 * unused   counters in addition to the one that the meter uses
 * unknown  sensors whose names identify another subject than the counter of their meter
 */
export function metersOf(entities: readonly Entity[]): {
  meters: Meter[]
  unmetered: Entity[]
  unused: Entity[]
  unknown: Entity[]
} {
  const gangs = new Set(entities.flatMap(({ role, channel }) => (role.kind === 'relay' ? [channel] : [])))
  const byChannel = new Map<string, Sensor[]>()
  for (const entity of entities) {
    const { role } = entity
    if (role.kind !== 'sensor' || !METERED.includes(role.quantity)) continue
    // "power_l2" is the power of the second relay if there is one, else of the second phase.
    const isGang = entity.channel !== '' && gangs.has(entity.channel)
    const isLine = role.line !== undefined && !isGang
    const channel = isLine && /^l?[123]$/i.test(entity.channel) ? '' : entity.channel
    const phase = role.phase ?? (isLine ? role.line : undefined)
    const sensor: Sensor = { entity, quantity: role.quantity, phase }
    byChannel.set(channel, [...(byChannel.get(channel) ?? []), sensor])
  }
  // Sensors of the whole device belong to its only numbered channel, if there is one.
  const numbered = [...byChannel.keys()].filter((channel) => channel !== '')
  const withoutChannel = byChannel.get('')
  if (
    withoutChannel &&
    numbered.length === 1 &&
    !withoutChannel.some(({ quantity }) => quantity === 'energy')
  ) {
    byChannel.set(numbered[0] as string, [...(byChannel.get(numbered[0] as string) ?? []), ...withoutChannel])
    byChannel.delete('')
  }
  const meters: Meter[] = []
  const unmetered: Entity[] = []
  const unused: Entity[] = []
  const unknown: Entity[] = []
  for (const [channel, sensors] of byChannel) {
    const isReturned = ({ entity: { role } }: Sensor) => role.kind === 'sensor' && role.returned === true
    const meter = createMeter(
      channel,
      sensors.filter((sensor) => !isReturned(sensor)),
      sensors.filter(isReturned),
    )
    if (meter) meters.push(meter)
    unknown.push(...(meter?.unknown ?? []))
    for (const { entity, quantity } of sensors)
      if (!meter) unmetered.push(entity)
      else if (quantity === 'energy' && !meter.entities.includes(entity)) unused.push(entity)
  }
  return { meters, unmetered, unused, unknown }
}

/** The neutral wire carries the current that the phases do not balance. */
const NEUTRAL = /(?:^|_)n(?:eutral)?_/

type Measurements = Partial<Record<Quantity, Entity>>

/** One sensor of each quantity for the whole and for each phase: those with the counter's subject. */
function assignMeasurements(sensors: readonly Sensor[]) {
  const used = sensors.filter(({ entity }) => !NEUTRAL.test(entity.slot))
  const at = (where: Phase | undefined, what: Quantity) =>
    used.flatMap(({ entity, quantity, phase }) => (phase === where && quantity === what ? [entity] : []))
  const unknown: Entity[] = []
  const [total, ...phases] = ([undefined, 0, 1, 2] as const).map((where) => {
    const energy = counterOf(at(where, 'energy'))
    const counter = energy ?? counterOf(at(undefined, 'energy'))
    const place: Measurements = { ...(energy && { energy }) }
    for (const quantity of METERED) {
      const found = quantity === 'energy' ? [] : at(where, quantity)
      const best = counter ? pairFor(counter, found) : found[0]
      if (best) place[quantity] = best
      else unknown.push(...found)
    }
    return place
  }) as [Measurements, Measurements, Measurements, Measurements]
  return { whole: total, phases, strange: unknown }
}

function createMeter(
  channel: string,
  sensors: readonly Sensor[],
  returnSensors: readonly Sensor[],
): (Meter & { unknown: Entity[] }) | undefined {
  const { whole: total, phases, strange: unknown } = assignMeasurements(sensors)
  // Zigbee meters name the second and third phase, but not the first.
  const [a, b, c] = phases as [Measurements, Measurements, Measurements]
  if (Object.keys(a).length === 0 && (b.voltage || b.current || b.power))
    for (const quantity of ['voltage', 'current', 'power'] as const)
      if (b[quantity] && total[quantity]) {
        a[quantity] = total[quantity]
        delete total[quantity]
      }
  // A single phase is the whole: "Hall A" may be the full name.
  const [only, ...others] = [a, b, c].filter((phase) => Object.keys(phase).length > 0)
  if (only && others.length === 0) Object.assign(total, { ...only, ...total })
  const own = [a, b, c].flatMap(({ energy }) => energy ?? [])
  const counters = total.energy ? [total.energy] : own
  if (counters.length === 0) return undefined
  const phasesWithValues = [a, b, c].filter((phase) => Object.keys(phase).length > 0)
  const returned = returnedOf(returnSensors, Math.max(1, phasesWithValues.length))
  const used = [a, b, c].filter((phase) => Object.keys(phase).some((quantity) => quantity !== 'energy'))
  return {
    channel,
    counters,
    returned,
    total,
    phases: used.length >= 2 ? used : [],
    entities: [...counters, ...returned, ...[total, ...[a, b, c]].flatMap((place) => Object.values(place))],
    unknown,
  }
}

/** The counter of the energy that the whole feeds in, else those of its phases if each has one. */
function returnedOf(returnSensors: readonly Sensor[], phases: number): Entity[] {
  const total = counterOf(returnSensors.flatMap(({ entity, phase }) => (phase === undefined ? [entity] : [])))
  if (total) return [total]
  const own = new Map(returnSensors.map(({ entity, phase }) => [phase, entity]))
  return own.size === phases ? [...own.values()] : []
}

/** The status fields of a meter (§4); sums over the phases if the device has no total. */
export function meterStatus(
  { counters, returned, total, phases }: Meter,
  readEntity: ReadEntity,
): Record<string, unknown> {
  const of = (entity: Entity | undefined) => entity && (readEntity(entity, 'state') as number | undefined)
  const status: Record<string, unknown> = {
    AccumulatePower: rounded(sum(counters.map(of))),
    AccumulateReturn: rounded(sum(returned.map(of))),
    Power: rounded(of(total.power) ?? sum(phases.map(({ power }) => of(power)))),
    Voltage: rounded(of(total.voltage) ?? mean(phases.map(({ voltage }) => of(voltage)))),
    AvgElectricCurrent: rounded(
      magnitude(of(total.current)) ?? mean(phases.map(({ current }) => magnitude(of(current)))),
    ),
    PowerFactor: of(total.powerFactor),
  }
  for (const [i, phase] of phases.entries()) {
    status[`Power${i + 1}`] = of(phase.power)
    status[`Voltage${i + 1}`] = of(phase.voltage)
    status[`Current${i + 1}`] = of(phase.current)
  }
  return ifKnown(status)
}

/** The sum; undefined if a value is unknown or the list is empty. */
function sum(values: readonly (number | undefined)[]): number | undefined {
  let total: number | undefined
  for (const value of values) {
    if (value === undefined) return undefined
    total = (total ?? 0) + value
  }
  return total
}

function mean(values: readonly (number | undefined)[]): number | undefined {
  const total = sum(values)
  return total === undefined ? undefined : total / values.length
}

/** The absolute current: some meters sign it by direction, the status field does not. */
const magnitude = (ampere: number | undefined) => (ampere === undefined ? undefined : Math.abs(ampere))
/** Rounds to six decimals, which removes floating-point noise. */
const rounded = (value: number | undefined) =>
  value === undefined ? undefined : Math.round(value * 1e6) / 1e6
