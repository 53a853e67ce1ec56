import { describe, expect, it } from 'vitest'
import { commandRefusalOf } from '../../../contract/devices/kinds/command-checks.ts'
import { parseCommandValues, parseStatusFields } from '../../../contract/devices/kinds/status.ts'
import type { CalibrationCommand } from '../../../contract/devices/capabilities/light-house.ts'
import { confirms } from '../../../contract/devices/status-order.ts'
import { CALIBRATION_TIMEOUT_S, lightHouse, type LightHouse } from '../../../simulator/models/light-house.ts'
import { CALM } from '../../../simulator/models/model.ts'

/** Executes a step as a hub does: only if the device is at that point; its report must confirm it. */
function go(state: LightHouse, Calibration: CalibrationCommand): LightHouse {
  const values = parseCommandValues('515', { Calibration })
  expect(values?.success).toBe(true)
  expect(commandRefusalOf('515', { Calibration }, lightHouse.report(state))).toBeUndefined()
  const next = lightHouse.command(state, { Calibration })
  expect(confirms(lightHouse.report(next), { Calibration })).toBe(true)
  expect(parseStatusFields('515', lightHouse.report(next))?.success).toBe(true)
  return next
}

const calibrate = (state: LightHouse, colors: number) =>
  (
    [
      { Step: 'initialized', LightType: 'stacked' },
      { Step: 'lightsOn' },
      { Step: 'lightsOff' },
      ...Array.from({ length: colors }, (_, i) => ({ Step: 'memorizing', Count: i + 1 }) as const),
    ] as const
  ).reduce<LightHouse>(go, state)

describe('a lighthouse', () => {
  it('shows its tower, and how fast it flashes', () => {
    const state = lightHouse.step(lightHouse.make('515', {}), 1, {
      ...CALM,
      tower: [2, 1, 0],
      blinkRate: 120,
    })
    expect(lightHouse.report(state)).toMatchObject({ Sensor1: 2, Sensor2: 1, Sensor3: 0, BlinkRate: 120 })
  })

  it('memorises up to six colours and then shows them', () => {
    const done = go(calibrate(lightHouse.make('515', {}), 6), { Step: 'finished' })
    expect(lightHouse.report(done)).toMatchObject({
      Calibration: { Step: 'finished', Outcome: 'success', LightType: 'stacked' },
    })
    expect(done.colors).toHaveLength(6)
  })

  it('fails with a covered sensor, keeps its colours, and can be calibrated again', () => {
    const failed = go(calibrate(lightHouse.make('515', { coveredSensor: 2 }), 1), { Step: 'finished' })
    expect(failed.calibration).toMatchObject({ Outcome: 'failure', Fault: 'noContrast' })
    expect(failed.colors).toEqual([])
    expect(calibrate({ ...failed, covered: null }, 2).calibration).toMatchObject({ Count: 2 })
  })

  it('forgets the last colour when it is asked for one less', () => {
    expect(
      go(calibrate(lightHouse.make('515', {}), 3), { Step: 'memorizing', Count: 2 }).calibration,
    ).toEqual(calibrate(lightHouse.make('515', {}), 2).calibration)
  })

  it('can be cancelled at every step and keeps what it knew', () => {
    const known = go(calibrate(lightHouse.make('515', {}), 2), { Step: 'finished' })
    for (const colors of [0, 1, 4]) {
      const cancelled = go(calibrate(known, colors), { Step: 'idle' })
      expect(lightHouse.report(cancelled)).toMatchObject({ Calibration: { Step: 'idle' } })
      expect(cancelled.colors).toEqual(known.colors)
    }
  })

  it('gives up when nobody goes on', () => {
    const waiting = lightHouse.step(calibrate(lightHouse.make('515', {}), 1), CALIBRATION_TIMEOUT_S - 1, CALM)
    expect(waiting.calibration.Step).toBe('memorizing')
    expect(lightHouse.step(waiting, 1, CALM).calibration).toMatchObject({
      Step: 'finished',
      Fault: 'interrupted',
    })
  })
})
