import { describe, expect, it } from 'vitest'
import { MAX_TERMS } from '../../../../contract/meters/virtual-meter.ts'
import { nextFactor, withoutBelow } from '../../../../src/custom-views/meters/virtual-meter-form.tsx'

const meter = (PeripheralUID: string, ParentMeter: string | null = null) => ({ PeripheralUID, ParentMeter })
const meters = [meter('main'), meter('a', 'main'), meter('b', 'main'), meter('a1', 'a')]

describe('the terms of a virtual meter', () => {
  it('are prefilled for a main meter minus its direct children', () => {
    expect(withoutBelow([{ PeripheralUID: 'main', Factor: 1 }, { Factor: 1 }], meters)).toEqual([
      { PeripheralUID: 'main', Factor: 1 },
      { PeripheralUID: 'a', Factor: -1 },
      { PeripheralUID: 'b', Factor: -1 },
    ])
  })

  it('are kept if the user has entered others, or the meter has no children', () => {
    expect(withoutBelow([{ Factor: 1 }], meters)).toBeUndefined()
    expect(withoutBelow([{ PeripheralUID: 'b', Factor: 1 }], meters)).toBeUndefined()
    expect(withoutBelow([{ PeripheralUID: 'main', Factor: -1 }], meters)).toBeUndefined()
    expect(
      withoutBelow(
        [
          { PeripheralUID: 'main', Factor: 1 },
          { PeripheralUID: 'a1', Factor: -1 },
        ],
        meters,
      ),
    ).toBeUndefined()
    const many = Array.from({ length: MAX_TERMS }, (_, i) => meter(`m${i}`, 'main'))
    expect(withoutBelow([{ PeripheralUID: 'main', Factor: 1 }], many)).toBeUndefined()
  })

  it('copy the sign of the last one', () => {
    expect(nextFactor([{ Factor: 1 }])).toBe(1)
    expect(nextFactor([{ Factor: 1 }, { Factor: -1 }])).toBe(-1)
    expect(nextFactor([{ Factor: 1 }, { Factor: 1 }])).toBe(1)
  })
})
