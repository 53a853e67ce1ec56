import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  METER_USES,
  type MeterUse,
  SINCE_ALWAYS,
  type DatedValue,
  valueOn,
} from '../../../../../contract/meters/meter-facts.ts'
import type { MeterRole } from '../../../../../contract/devices/meter-roles.ts'
import { findWeightFaults } from '../../../../../gateway/domain/meters/home-tree.ts'
import { flowsOfHome } from '../../../../../gateway/features/energy/meters/home-flows.ts'
import {
  type GroupBy,
  type MeterGroups,
  groupHome,
  topMetersByRole,
} from '../../../../../gateway/features/energy/meters/meter-groups.ts'
import type { Meter } from '../../../../../gateway/features/energy/meters/meters.ts'

const ZONE = 'Asia/Taipei'
const NAMES = ['m0', 'm1', 'm2', 'm3', 'm4'] as const
const VIRTUAL = ['v0', 'v1'] as const
const DAYS = [SINCE_ALWAYS, 100, 200]
const ROLES = ['load', 'gridImport', 'generation', 'check'] as const satisfies readonly MeterRole[]

/** One permanent value, and possibly others from later days on. */
const dated = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<DatedValue<T>[]> =>
  fc
    .tuple(value, fc.option(value, { freq: 2 }), fc.option(value, { freq: 2 }))
    .map((values) =>
      values.flatMap((one, i) =>
        one === null && i > 0 ? [] : [{ from: DAYS[i] as number, value: one as T }],
      ),
    )
const role = fc.constantFrom<MeterRole>(...ROLES, 'load', 'load')
const use = fc.constantFrom(...METER_USES)
const parent = fc.option(fc.constantFrom<string>(...NAMES, ...VIRTUAL), { nil: null })
const terms = fc
  .subarray([...NAMES], { minLength: 1, maxLength: 3 })
  .chain((names) =>
    fc
      .array(fc.constantFrom<1 | -1>(1, 1, -1), { minLength: names.length, maxLength: names.length })
      .map((factors) => names.map((name, i) => [name, factors[i] as 1 | -1] as const)),
  )
const places = (isVirtual: boolean) =>
  fc.record({
    role: isVirtual ? dated(role).map((said) => said.slice(-2)) : dated(role),
    room: dated(fc.integer({ min: 0, max: 2 })),
    parent: dated(parent),
    use: dated(use),
  })

/** Home of five meters and two virtual meters. */
const home = fc
  .tuple(
    fc.tuple(...NAMES.map(() => places(false))),
    fc.tuple(...VIRTUAL.map(() => fc.record({ places: places(true), terms: dated(terms) }))),
  )
  .map(([physical, virtual]): Meter[] => {
    const base = {
      HomeID: 'h',
      roomId: 0,
      category: 'meter',
      ParentMeter: null,
      removedAt: null,
      frequency: 60,
    }
    const meters = physical.map((of, i): Meter => ({
      ...base,
      PeripheralUID: NAMES[i] as string,
      meterId: i + 1,
      places: of,
    }))
    const byName = new Map(meters.map((meter) => [meter.PeripheralUID, meter]))
    return [
      ...meters,
      ...virtual.map((of, i): Meter => ({
        ...base,
        PeripheralUID: VIRTUAL[i] as string,
        meterId: null,
        places: of.places,
        terms: of.terms.map(({ from, value }) => ({
          from,
          value: value.map(([name, factor]) => [byName.get(name) as Meter, factor] as const),
        })),
      })),
    ]
  })

const roleOn = ({ places: of, terms: sum }: Meter, day: number): MeterRole | undefined =>
  valueOn(of?.role ?? [], day) ?? (sum ? undefined : 'load')
/** Whether the gateway would accept this configuration. */
const isAllowed = (meters: readonly Meter[]): boolean =>
  DAYS.every(
    (day) =>
      findWeightFaults(
        meters.map((meter) => ({
          PeripheralUID: meter.PeripheralUID,
          ParentMeter: valueOn(meter.places?.parent ?? [], day) ?? null,
          role: roleOn(meter, day),
          terms:
            meter.terms &&
            (valueOn(meter.terms, day) ?? []).map(([one, Factor]) => ({
              PeripheralUID: one.PeripheralUID,
              Factor,
            })),
        })),
      ).size === 0,
  )
const allowed = home.filter(isAllowed)

/** Total weight of each register over all lines of a day. */
function weights({ epochs }: MeterGroups, day: number): Record<number, number> {
  const at = day * 86_400_000
  const sums: Record<number, number> = {}
  for (const { meterId, weight } of epochs.find(({ from, to }) => from <= at && at < to)?.members ?? [])
    sums[meterId] = (sums[meterId] ?? 0) + weight
  return Object.fromEntries(Object.entries(sums).filter(([, weight]) => weight !== 0))
}
const TRIED = [50, 150, 250]
const DIVISIONS: readonly GroupBy[] = ['meter', 'room', 'use', 'category']

describe('the use of a virtual meter', () => {
  const checked = (uid: string, places: Meter['places'], nameUse?: MeterUse): Meter => ({
    ...{ HomeID: 'h', PeripheralUID: uid, meterId: Number(uid.slice(1)) + 1, roomId: 0, category: 'meter' },
    ...{ ParentMeter: null, removedAt: null, frequency: 60, ...(nameUse && { nameUse }) },
    places: { role: [{ from: SINCE_ALWAYS, value: 'check' }], ...places },
  })
  const isUsedFor = (value: MeterUse) => ({ use: [{ from: SINCE_ALWAYS, value }] })
  const usesWith = (added: readonly Meter[], use?: MeterUse): string[] => {
    const sum: Meter = {
      ...checked('v0', use && isUsedFor(use)),
      meterId: null,
      terms: [{ from: SINCE_ALWAYS, value: added.map((meter) => [meter, 1] as const) }],
    }
    const load = { ...sum, places: { ...sum.places, role: [{ from: SINCE_ALWAYS, value: 'load' as const }] } }
    return groupHome([...added, load], 'use', ZONE).keys
  }

  it('is that of all meters that it adds, unless it has its own', () => {
    const cooled = [checked('m0', isUsedFor('airConditioning')), checked('m1', {}, 'airConditioning')]
    expect(usesWith(cooled)).toEqual(['airConditioning'])
    expect(usesWith(cooled, 'it')).toEqual(['it'])
    expect(usesWith([...cooled, checked('m2', isUsedFor('lighting'))])).toEqual(['unknown'])
  })
})

describe('the lines of a home with virtual meters', () => {
  it('add up to its total, however divided, on every day', () => {
    fc.assert(
      fc.property(allowed, (meters) => {
        const whole = groupHome(meters, 'home', ZONE)
        for (const by of DIVISIONS) {
          const divided = groupHome(meters, by, ZONE)
          for (const day of TRIED) expect(weights(divided, day)).toEqual(weights(whole, day))
        }
      }),
      { numRuns: 300 },
    )
  })

  it('contain each register at most once, in each role total and each line of use', () => {
    fc.assert(
      fc.property(allowed, (meters) => {
        for (const { tops } of topMetersByRole(meters, ROLES, ZONE))
          for (const [name, members] of tops) {
            if (name === 'check') continue
            expect(members.map(({ weight }) => weight)).toEqual(members.map(() => 1))
            expect(new Set(members.map(({ meterId }) => meterId)).size).toBe(members.length)
          }
        for (const by of DIVISIONS) {
          const { epochs } = groupHome(meters, by, ZONE)
          for (const { members } of epochs)
            expect(new Set(members.map(({ meterId, line }) => `${meterId}/${line}`)).size).toBe(
              members.length,
            )
        }
      }),
      { numRuns: 300 },
    )
  })

  it('do not change before the day of a later fact', () => {
    const said = fc.record({ place: parent, role, terms, room: fc.integer({ min: 0, max: 2 }), use })
    fc.assert(
      fc.property(allowed, said, fc.constantFrom('v0', 'm0', 'm3'), (meters, now, changed) => {
        const later = meters.map((meter) => {
          if (meter.PeripheralUID !== changed) return meter
          const of = meter.places
          const add = <T>(history: readonly DatedValue<T>[] | undefined, value: T) => [
            ...(history ?? []),
            { from: 300, value },
          ]
          return {
            ...meter,
            places: {
              role: add(of?.role, now.role),
              room: add(of?.room, now.room),
              parent: add(of?.parent, now.place),
              use: add(of?.use, now.use),
            },
            ...(meter.terms && {
              terms: add(
                meter.terms,
                now.terms.map(
                  ([name, factor]) =>
                    [meters.find((one) => one.PeripheralUID === name) as Meter, factor] as const,
                ),
              ),
            }),
          }
        })
        for (const by of [...DIVISIONS, 'home'] as const) {
          const of = (all: readonly Meter[], day: number) => {
            const { keys, epochs } = groupHome(all, by, ZONE)
            const at = day * 86_400_000
            return epochs
              .find(({ from, to }) => from <= at && at < to)
              ?.members.map(({ meterId, line, weight }) => [meterId, keys[line], weight])
          }
          for (const day of TRIED) expect(of(later, day)).toEqual(of(meters, day))
        }
        const flows = (all: readonly Meter[], day: number) =>
          weights(flowsOfHome(all, ZONE).of.consumption, day)
        for (const day of TRIED) expect(flows(later, day)).toEqual(flows(meters, day))
      }),
      { numRuns: 200 },
    )
  })
})
