import { describe, expect, it } from 'vitest'
import {
  type Calibration,
  type CalibrationCommand,
  isInProgress,
  isAllowedTransition,
  areAdjacent,
  blinksAbnormally,
  colorHex,
  colorName,
  DEFAULT_COLOR,
  lampsOf,
  LightHouseGroup,
  parseHex,
} from '../../../../contract/devices/capabilities/light-house.ts'

const RED = { Red: 244, Green: 33, Blue: 28 }
const sensors = (...indexes: number[]) => indexes.map((ColorIndex, i) => ({ SensorID: i + 1, ColorIndex }))

describe('lamps', () => {
  it('are one per sensor, in the calibrated colors or amber (§9)', () => {
    const lamps = lampsOf({ Sensor1: 1, Sensor2: 2, Colors: [RED] }, null)
    expect(lamps).toHaveLength(5)
    expect(lamps[0]).toMatchObject({ sensors: [1], color: RED, state: 1 })
    expect(lamps[1]).toMatchObject({ sensors: [2], color: DEFAULT_COLOR, state: 2 })
    expect(lamps[2]?.state).toBeUndefined()
    expect(colorHex(DEFAULT_COLOR)).toBe('#ffc107')
  })

  it('are seen by their sensors: lit if one sees light, flashing if one sees it flash', () => {
    const group = { Sensors: sensors(1, 1, 0, 0), Colors: [DEFAULT_COLOR, RED] }
    expect(lampsOf({ Sensor1: 0, Sensor2: 2, Sensor3: 1, Sensor4: 0, Sensor5: 1 }, group)).toEqual([
      { sensors: [1, 2], color: RED, name: 'red', number: 1, isOnly: true, state: 2 },
      { sensors: [3, 4], color: DEFAULT_COLOR, name: 'amber', number: 2, isOnly: true, state: 1 },
    ])
  })

  const called = (...args: Parameters<typeof lampsOf>) =>
    lampsOf(...args).map(({ name, number, isOnly }) => (isOnly ? [name] : [name, number]))
  it('are numbered if their color is not set, and never share a color', () => {
    const AMBER = { Red: 255, Green: 190, Blue: 12 }
    const unknown = [2, 3, 4, 5].map((number) => [undefined, number])
    expect(called({ Colors: [AMBER] }, null)).toEqual([['amber'], ...unknown])
    expect(called({}, null)).toEqual([[undefined, 1], ...unknown])
    expect(called({}, { Sensors: sensors(0, 1, 2), Colors: [RED, AMBER, DEFAULT_COLOR] })).toEqual([
      ['red'],
      ['amber', 2],
      ['amber', 3],
    ])
  })

  it('flash abnormally from their rate on, and never without one', () => {
    expect(blinksAbnormally({ Sensor3: 2, BlinkRate: 120 }, 120)).toBe(true)
    expect(blinksAbnormally({ Sensor3: 2, BlinkRate: 119 }, 120)).toBe(false)
    expect(blinksAbnormally({ Sensor3: 1, BlinkRate: 300 }, 120)).toBe(false)
    expect(blinksAbnormally({ Sensor3: 2, BlinkRate: 300 }, null)).toBe(false)
    expect(blinksAbnormally(undefined, 1)).toBe(false)
  })

  it('have colors with names', () => {
    expect(['#f4211c', '#ffc107', '#16c454', '#1c5cf0', '#ececE4', '#962ad6', '#00d8d8'].map(named)).toEqual([
      'red',
      'amber',
      'green',
      'blue',
      'white',
      'purple',
      'cyan',
    ])
    expect(parseHex('red')).toBeUndefined()
  })
})

const named = (hex: string) => colorName(parseHex(hex) ?? DEFAULT_COLOR)

describe('a grouping', () => {
  const reasons = (group: object) =>
    LightHouseGroup.safeParse(group).error?.issues.map(({ message }) => message)
  const Colors = [RED, DEFAULT_COLOR]

  it('requires adjacent sensors for one lamp (§5)', () => {
    expect(reasons({ Sensors: sensors(0, 0, 1), Colors })).toBeUndefined()
    expect(reasons({ Sensors: sensors(0, 1, 0), Colors })).toEqual(['notAdjacent'])
    expect(areAdjacent([3, 1, 2])).toBe(true)
    expect(areAdjacent([1, 3])).toBe(false)
    expect(areAdjacent([])).toBe(true)
  })

  it('names each sensor once, with colors that it has', () => {
    expect(reasons({ Sensors: [...sensors(0), ...sensors(0)], Colors })).toEqual(['taken'])
    expect(reasons({ Sensors: sensors(2), Colors })).toEqual(['notFound'])
    expect(reasons({ Sensors: [], Colors: [] })).toEqual(['required'])
    expect(LightHouseGroup.safeParse({ Sensors: sensors(0, 0, 0, 0, 0, 0), Colors }).success).toBe(false)
  })
})

describe('calibration (§4)', () => {
  const at = (Step: Calibration['Step'], Count = 0): Calibration => ({ Step, LightType: 'column', Count })
  const initialize: CalibrationCommand = { Step: 'initialized', LightType: 'column' }
  const memorize = (Count: number): CalibrationCommand => ({ Step: 'memorizing', Count })

  it('goes through its steps in order', () => {
    const way: [Calibration | undefined, CalibrationCommand][] = [
      [undefined, initialize],
      [at('initialized'), { Step: 'lightsOn' }],
      [at('lightsOn'), { Step: 'lightsOff' }],
      [at('lightsOff'), memorize(1)],
      [at('memorizing', 1), memorize(2)],
      [at('memorizing', 5), memorize(6)],
      [at('memorizing', 6), { Step: 'finished' }],
    ]
    for (const [now, wanted] of way) expect(isAllowedTransition(now, wanted)).toBe(true)
  })

  it('skips no step', () => {
    const leaps: [Calibration | undefined, CalibrationCommand][] = [
      [undefined, { Step: 'lightsOn' }],
      [at('idle'), { Step: 'finished' }],
      [at('initialized'), { Step: 'lightsOff' }],
      [at('lightsOn'), memorize(1)],
      [at('lightsOff'), memorize(2)],
      [at('lightsOff'), { Step: 'finished' }],
      [at('memorizing', 2), memorize(4)],
      [at('memorizing', 2), { Step: 'lightsOn' }],
      [at('finished'), memorize(1)],
    ]
    for (const [now, wanted] of leaps) expect(isAllowedTransition(now, wanted)).toBe(false)
  })

  it('can be canceled or restarted at any time, and each step repeated', () => {
    const everywhere = [
      at('idle'),
      at('initialized'),
      at('lightsOn'),
      at('lightsOff'),
      at('memorizing', 3),
      at('finished'),
    ]
    for (const now of everywhere) {
      expect(isAllowedTransition(now, { Step: 'idle' })).toBe(true)
      expect(isAllowedTransition(now, initialize)).toBe(true)
    }
    expect(isAllowedTransition(at('lightsOn'), { Step: 'lightsOn' })).toBe(true)
    expect(isAllowedTransition(at('lightsOff'), { Step: 'lightsOn' })).toBe(true)
    expect(isAllowedTransition(at('memorizing', 3), memorize(3))).toBe(true)
    expect(isAllowedTransition(at('memorizing', 3), memorize(1))).toBe(true)
    expect(everywhere.map(isInProgress)).toEqual([false, true, true, true, true, false])
    expect(isInProgress(undefined)).toBe(false)
  })
})
