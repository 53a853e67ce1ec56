import { describe, expect, it } from 'vitest'
import type { MeterRole } from '../../../../contract/devices/meter-roles.ts'
import { findWeightFaults, type WeighedMeter } from '../../../../gateway/domain/meters/home-tree.ts'

const meter = (PeripheralUID: string, role: MeterRole, ParentMeter: string | null = null): WeighedMeter => ({
  PeripheralUID,
  role,
  ParentMeter,
})
const virtual = (
  id: string,
  sum: string,
  role: MeterRole | undefined,
  ParentMeter: string | null = null,
): WeighedMeter => ({
  PeripheralUID: id,
  role,
  ParentMeter,
  terms: sum
    .split(' ')
    .map((term) => ({ PeripheralUID: term.slice(1), Factor: term.startsWith('-') ? -1 : 1 })),
})
const faults = (...meters: WeighedMeter[]) => Object.fromEntries(findWeightFaults(meters))

describe('a virtual meter in a total', () => {
  it('is the sum of meters that are not counted themselves, or are below it', () => {
    expect(faults(meter('a', 'check'), meter('b', 'check'), virtual('v', '+a +b', 'gridImport'))).toEqual({})
    expect(faults(meter('a', 'load', 'v'), meter('b', 'load', 'v'), virtual('v', '+a +b', 'load'))).toEqual(
      {},
    )
  })

  it('counts a meter twice that counts separately', () => {
    expect(faults(meter('a', 'load'), meter('b', 'check'), virtual('v', '+a +b', 'load'))).toEqual({
      a: 'countedTwice',
    })
    expect(faults(meter('a', 'load'), virtual('v', '+a', undefined))).toEqual({})
    expect(faults(meter('a', 'load'), virtual('v', '+a', 'check'))).toEqual({})
    expect(faults(meter('a', 'load'), virtual('v', '+a', 'generation'))).toEqual({})
  })

  it('can subtract what counts separately, and nothing else', () => {
    expect(
      faults(
        meter('main', 'load'),
        meter('tenant', 'load', 'main'),
        virtual('v', '+main -tenant', 'load', 'main'),
      ),
    ).toEqual({})
    expect(
      faults(meter('main', 'check'), meter('tenant', 'check'), virtual('v', '+main -tenant', 'load')),
    ).toEqual({
      tenant: 'takenAway',
    })
  })

  it('cannot divide what another meter below the same one divides', () => {
    expect(
      faults(meter('main', 'load'), meter('a', 'load', 'main'), virtual('v', '+a', 'load', 'main')),
    ).toEqual({ a: 'countedTwice' })
  })
})
