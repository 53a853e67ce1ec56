import type { Entity } from './entity.ts'

/** Words that name what is measured or how, not what it is measured of; also inside of "pvpower". */
const MEASURES =
  /energy|power|voltage|current|consumption|electricity|instant(?:aneous)?|accumulated?|cumulative|lifetime|active|total|factor/g
/** Short ones and numbers, which count as words of their own only: the channel and the phase are known already. */
const PLAIN =
  /^(?:e|p|u|v|i|w|kw|wh|kwh|mwh|amps?|volts?|watts?|hours?|pf|sum|act|import(?:ed)?|forward|delivered|consumed|used|usage|net|draw|load|meter|measured?|value|sensor|reading|channel|ch|circuit|ct|clamp|port|outlet|socket|phase|ph|line|tariff|l?\d+|ph(?:ase)?\d|ch\d+|ct\d+|[abcn]|em1?(?:data)?|pm1?|switch|relay|light|plug|rms|real|apparent|ac|of|the|now)$/

/** The words of a sensor that tell what it is measured of: "pv" of `pv_energy_total`, none of `power`. */
function subjectOf({ slot }: Entity): Set<string> {
  const words = slot.toLowerCase().split(/[^a-z0-9]+/)
  return new Set(
    words
      .flatMap((word) => word.replace(MEASURES, ' ').split(' '))
      .filter((word) => word !== '' && !PLAIN.test(word)),
  )
}

/** Where a device has several values of one kind: the one for all of it. */
const TOTAL = /total|sum/i

/**
 * The sensor that measures what a counter counts: the one with the most of its words in common, of equals the one for all
 * of the device, else the first. Undefined where the names tell of different things (`pv_energy`, `grid_power`), or of several
 * while the counter's tells of none: a value of something else is worse than none.
 */
export function pairFor(counter: Entity, sensors: readonly Entity[]): Entity | undefined {
  const subject = subjectOf(counter)
  const rated = sensors.map((sensor) => {
    const own = subjectOf(sensor)
    const shared = [...own].filter((word) => subject.has(word)).join('').length
    return { sensor, plain: own.size === 0, shared, own: [...own].sort().join(' ') }
  })
  const fitting = rated.filter(({ plain, shared }) => plain || shared > 0 || subject.size === 0)
  const isTold = fitting.some(({ plain, shared }) => plain || shared > 0)
  if (!isTold && new Set(fitting.map(({ own }) => own)).size > 1) return undefined
  const [best] = fitting.sort(
    (a, b) =>
      b.shared - a.shared ||
      Number(b.plain) - Number(a.plain) ||
      Number(TOTAL.test(b.sensor.slot)) - Number(TOTAL.test(a.sensor.slot)),
  )
  return best?.sensor
}

/** Of several counters the one for all of the device, else the first. */
export const counterOf = (counters: readonly Entity[]): Entity | undefined =>
  counters.find(({ slot }) => TOTAL.test(slot)) ?? counters[0]
