import { describe, expect, it } from 'vitest'
import { batchRunsOf, shiftRuns } from '../../../../../gateway/features/insight/logic/batches.ts'
import {
  claimOfDaysOff,
  daysOffOf,
  type TypedDay,
} from '../../../../../gateway/features/insight/logic/days-off.ts'
import { cooledEmptyOf, emptyMinutes } from '../../../../../gateway/features/insight/logic/empty-room.ts'
import { leftOnOf } from '../../../../../gateway/features/insight/logic/left-on.ts'
import { isComfort, isCooling, isCoolingName } from '../../../../../contract/findings/meter-names.ts'
import { METER_USES } from '../../../../../contract/meters/meter-facts.ts'
import {
  claimOfRise,
  driftsOf,
  type Night,
  nightRiseOf,
} from '../../../../../gateway/features/insight/logic/night-base.ts'
import { featuresIn } from '../../../../../gateway/features/energy/rollup/day-features.ts'
import {
  type Faults,
  isOpenAt,
  isUsedAt,
  OFFICE_BEGAN,
  OFFICE_METERS,
  officeDay,
  type OfficeMeter,
  plainType,
} from '../../../../support/made-office.ts'

const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8]
/** Sixteen weeks after its start. */
const FROM = OFFICE_BEGAN + 16 * 7
const NOTHING = { factor: 1, before: null }

const made = new Map<string, Record<OfficeMeter, Float64Array>>()
function dayOf(seed: number, day: number, faults: Faults): Record<OfficeMeter, Float64Array> {
  const key = `${seed}/${day}/${JSON.stringify(faults)}`
  const one = made.get(key) ?? officeDay(seed, day, faults)
  made.set(key, one)
  return one
}
const running = (kWh: Float64Array) => {
  let sum = 0
  return Array.from(kWh, (one) => (sum += one))
}
const known = 'm'.repeat(96)
const isKnown = new Uint8Array(96).fill(1)

const bases = new Map<string, number | null>()
function baseOf(seed: number, meter: OfficeMeter, day: number, faults: Faults): number | null {
  const key = `${seed}/${meter}/${day}/${JSON.stringify(faults)}`
  const kw = bases.get(key) ?? featuresIn(running(dayOf(seed, day, faults)[meter]), known).baseKw
  bases.set(key, kw)
  return kw
}
function nightsOf(seed: number, meter: OfficeMeter, end: number, faults: Faults): Night[] {
  return Array.from({ length: 60 }, (_, i) => {
    const day = end - 60 + i
    return { day, kw: baseOf(seed, meter, day, faults) }
  })
}
function daysOf(seed: number, meter: OfficeMeter, end: number, faults: Faults): TypedDay[] {
  return Array.from({ length: 112 }, (_, i) => {
    const day = end - 112 + i
    return {
      day,
      type: plainType(day),
      kWh: dayOf(seed, day, faults)[meter].reduce((sum, one) => sum + one, 0),
    }
  })
}
const quarters = (seed: number, meter: OfficeMeter, end: number, faults: Faults) =>
  Array.from({ length: 28 }, (_, i) => {
    const day = end - 28 + i
    return { day, kWh: dayOf(seed, day, faults)[meter], isKnown }
  })

describe('a base load', () => {
  it.each(SEEDS)('that rises is found within ten days (office %i)', (seed) => {
    const rise = nightRiseOf(
      nightsOf(seed, 'kitchen', FROM + 10, { night: { from: FROM, kw: 1 } }),
      FROM + 10,
      {
        drift: 1,
        ...NOTHING,
      },
    )
    expect(rise?.since).toBe(FROM)
    expect((rise?.now ?? 0) - (rise?.usual ?? 0)).toBeGreaterThan(0.7)
    expect((rise?.now ?? 0) - (rise?.usual ?? 0)).toBeLessThan(1.3)
  })

  it('that does not rise is not found in a quarter of a year, except in one row', () => {
    let rows = 0
    for (const seed of SEEDS)
      for (const meter of OFFICE_METERS) {
        let isFound = false
        for (let end = FROM; end < FROM + 91; end++) {
          const found = nightRiseOf(nightsOf(seed, meter, end, {}), end, { drift: 1, ...NOTHING })
          if (found && !isFound) rows += 1
          isFound = found !== undefined
        }
      }
    expect(rows / SEEDS.length).toBeLessThanOrEqual(1)
  })

  it('that stays up is compared with the usual level before it rose', () => {
    const faults = { night: { from: FROM, kw: 1 } }
    const first = nightRiseOf(nightsOf(1, 'kitchen', FROM + 10, faults), FROM + 10, { drift: 1, ...NOTHING })
    const later = FROM + 90
    const nights = nightsOf(1, 'kitchen', later, faults)
    expect(nightRiseOf(nights, later, { drift: 1, ...NOTHING })).toBeUndefined()
    const again = nightRiseOf(nights, later, { drift: 1, factor: 1, before: first ?? null })
    expect(again).toMatchObject({ usual: first?.usual, since: FROM })
    const ended = nightRiseOf(nightsOf(1, 'kitchen', later, {}), later, {
      drift: 1,
      factor: 1,
      before: first ?? null,
    })
    expect(ended).toBeUndefined()
  })

  it('is ignored if too few nights are known, or the threshold was raised beyond it', () => {
    const nights = nightsOf(1, 'kitchen', FROM + 10, { night: { from: FROM, kw: 1 } })
    const holes = nights.map((night) => ({ ...night, kw: night.day % 3 === 0 ? null : night.kw }))
    expect(nightRiseOf(holes, FROM + 10, { drift: 1, ...NOTHING })).toBeUndefined()
    expect(nightRiseOf(nights, FROM + 10, { drift: 1, factor: 6, before: null })).toBeUndefined()
  })

  it('that rises with all others is seasonal', () => {
    const warm = (seed: number) =>
      nightsOf(seed, 'servers', FROM + 10, {}).map(({ day, kw }) => ({
        day,
        kw: (kw ?? 0) * (day >= FROM ? 1.5 : 1),
      }))
    const drift = driftsOf(
      [1, 2, 3, 4, 5].map((seed) => [seed, warm(seed)] as const),
      FROM + 10,
    )(1)
    expect(drift).toBeGreaterThan(1.3)
    expect(nightRiseOf(warm(1), FROM + 10, { drift, ...NOTHING })).toBeUndefined()
    expect(driftsOf([[2, warm(2)]], FROM + 10)(1)).toBe(1)
  })

  it('is excluded from the drift when it is compared', () => {
    const risen = (ratio: number): Night[] =>
      Array.from({ length: 42 }, (_, i) => ({ day: FROM - 32 + i, kw: i < 35 ? 1 : ratio }))
    const ratios = [5, 1, 2, 4, 3]
    const without = driftsOf(
      ratios.map((ratio) => [ratio, risen(ratio)] as const),
      FROM + 10,
    )
    expect(ratios.map(without)).toEqual([2.5, 3.5, 3.5, 2.5, 3])
    expect(without(9)).toBe(3)
  })

  it('claims the excess from its first day on, at most the rise', () => {
    const faults = { night: { from: FROM, kw: 1 } }
    const end = FROM + 10
    const rise = nightRiseOf(nightsOf(1, 'kitchen', end, faults), end, { drift: 1, ...NOTHING })
    if (!rise) throw new Error('Not found')
    const days = quarters(1, 'kitchen', end, faults).map((one) => [one.day, one] as const)
    const claim = claimOfRise(rise, days, quarters(1, 'kitchen', FROM - 5, {}))
    const sum = claim.kWh.flatMap((one) => [...one]).reduce((all, one) => all + one, 0)
    // Ten days of 1 kW.
    expect(sum).toBeGreaterThan(150)
    expect(sum).toBeLessThanOrEqual(260)
    expect(claim.kWh.slice(0, 18).every((one) => one.every((kWh) => kWh === 0))).toBe(true)
    expect(claim.low).toBe(0.8)
    expect(claim.high).toBeGreaterThanOrEqual(1)
  })
})

describe('days off', () => {
  it.each(SEEDS)('with higher use are found within ten days (office %i)', (seed) => {
    const end = FROM + 10
    const off = daysOffOf(daysOf(seed, 'cooling', end, { weekend: { from: FROM } }), end, NOTHING)
    expect(off?.reason).toBe('risen')
    const claim =
      off &&
      claimOfDaysOff(
        off,
        quarters(seed, 'cooling', end, { weekend: { from: FROM } }).map((one) => [one.day, one.kWh]),
      )
    const sum = (claim ?? []).flatMap((one) => [...one]).reduce((all, one) => all + one, 0)
    // Two days of ten hours at 12 kW.
    expect(sum).toBeGreaterThan(180)
    expect(sum).toBeLessThan(320)
  })

  it('without a change are not found, even if work never stops', () => {
    for (const seed of SEEDS)
      for (let end = FROM; end < FROM + 91; end += 7)
        for (const meter of OFFICE_METERS)
          expect(daysOffOf(daysOf(seed, meter, end, {}), end, NOTHING), `${meter} ${seed}`).toBeUndefined()
  })
})

describe('a load that is left on', () => {
  const days = (faults: Faults, meter: OfficeMeter) =>
    quarters(1, meter, FROM + 10, faults).map((one) => ({
      ...one,
      isOpen: Uint8Array.from({ length: 96 }, (_, i) => Number(isOpenAt(one.day, i))),
    }))

  it('is found by the hours of its room, within ten days', () => {
    const left = leftOnOf(days({ lights: { from: FROM } }, 'lights'), 1)
    expect(left?.days).toBe(8)
    expect(left?.hours).toBeCloseTo(5, 0)
    const sum = (left?.kWh ?? []).flatMap((one) => [...one]).reduce((all, one) => all + one, 0)
    expect(sum).toBeGreaterThan(8 * 5 * 4.5)
    expect(sum).toBeLessThan(8 * 5 * 6.5)
  })

  it('excludes what always runs, and what ends with the hours', () => {
    for (const meter of OFFICE_METERS) expect(leftOnOf(days({}, meter), 1), meter).toBeUndefined()
  })
})

describe('an empty room', () => {
  const HOUR = 3_600_000
  const starts = Array.from({ length: 8 }, (_, i) => i * 900_000)

  it('is empty from half an hour after the last person on, if its sensors know', () => {
    const left = { at: [0, 600_000], value: [1, 0], unknown: [] }
    expect(emptyMinutes([left], starts, 900_000)).toEqual([null, 5, 20, 35, 50, 65, 80, 95])
    const back = { at: [0, 600_000, 1.2 * HOUR], value: [1, 0, 1], unknown: [] }
    expect(emptyMinutes([back], starts, 900_000)).toEqual([null, 5, 20, 35, null, null, null, null])
    const lost = { ...left, unknown: [{ from: HOUR, to: 1.25 * HOUR }] }
    expect(emptyMinutes([lost], starts, 900_000)[4]).toBeNull()
    expect(emptyMinutes([left, back], starts, 900_000)[6]).toBeNull()
    expect(emptyMinutes([], starts, 900_000)[6]).toBeNull()
    expect(emptyMinutes([{ at: [], value: [], unknown: [] }], starts, 900_000)[6]).toBeNull()
  })

  const days = (faults: Faults) =>
    quarters(1, 'cooling', FROM + 10, faults).map(({ day, kWh }) => {
      let minutes = 600
      const empty = Array.from({ length: 96 }, (_, i) => {
        minutes = isUsedAt(day, i) ? 0 : minutes + 15
        return isUsedAt(day, i) ? null : minutes
      })
      return { kWh, isKnown, empty }
    })

  it('that is cooled is found within ten days', () => {
    const cooled = cooledEmptyOf(days({ empty: { from: FROM } }), 1)
    expect(cooled?.days).toBe(8)
    // The hour before use, and the five after it.
    expect(cooled?.hours).toBeGreaterThan(8 * 5)
    expect(cooled?.low).toBeLessThanOrEqual(1)
    expect(cooled?.high).toBeGreaterThanOrEqual(1)
    expect(cooled?.kWh.slice(0, 18).every((one) => one.every((kWh) => kWh === 0))).toBe(true)
  })

  it('that is not cooled is not found', () => {
    expect(cooledEmptyOf(days({}), 1)).toBeUndefined()
  })

  it('identifies air conditioning meters by name, except those of machines', () => {
    expect(['會議室冷氣', '三樓空調', 'Meeting room AC', 'HVAC 2F', 'Split unit'].every(isCoolingName)).toBe(
      true,
    )
    expect(['機房冷氣', '冷凍庫', 'Server room A/C', 'Backup', '照明'].some(isCoolingName)).toBe(false)
  })

  it('identifies air conditioning or lighting meters by configured use, whatever their names', () => {
    const said = { name: '迴路 7', use: 'airConditioning' as const }
    expect([isCooling(said), isComfort(said)]).toEqual([true, true])
    expect(isCooling({ name: '會議室冷氣', use: 'other' })).toBe(false)
    for (const use of METER_USES)
      expect(isComfort({ name: '會議室冷氣', use })).toBe(['airConditioning', 'lighting'].includes(use))
    expect([null, 'lighting' as const].map((use) => isComfort({ name: '照明', use }))).toEqual([true, true])
  })
})

describe('batches', () => {
  const day = (from: number, to: number) => ({
    kWh: Float64Array.from({ length: 96 }, (_, i) => (i >= from && i < to ? 5 : 0.01)),
    isKnown,
  })
  const ranks = Array.from({ length: 96 }, (_, i) => (i < 36 ? 0 : i >= 64 && i < 88 ? 1 : 0.5))

  it('in expensive hours are moved to cheap ones of the same day, without loss', () => {
    const days = Array.from({ length: 7 }, () => day(66, 74))
    const runs = batchRunsOf(days)
    expect(runs).toHaveLength(7)
    const shifted = shiftRuns(
      days,
      runs ?? [],
      days.map(() => ranks),
    )
    expect(shifted.days).toBe(7)
    expect(shifted.kWh).toBeCloseTo(7 * 8 * 5, 6)
    expect(shifted.changes[0]?.reduce((sum, one) => sum + one, 0)).toBeCloseTo(0, 9)
  })

  it('are empty if a load always runs, or never for an hour', () => {
    expect(batchRunsOf([{ kWh: new Float64Array(96).fill(2), isKnown }])).toBeUndefined()
    expect(batchRunsOf([day(40, 42)])).toBeUndefined()
    // A working day.
    expect(batchRunsOf(Array.from({ length: 7 }, () => day(32, 68)))).toBeUndefined()
  })
})
