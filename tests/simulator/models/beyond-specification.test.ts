import { describe, expect, it } from 'vitest'
import { button, sensor } from '../../../simulator/models/sensors.ts'
import { cover, siren } from '../../../simulator/models/actuators.ts'
import { CALM as calm } from '../../../simulator/models/model.ts'

describe('cover', () => {
  const closed = cover.step(cover.make('901', {}), 1, { ...calm, lit: 0 })
  const shut = { CoverState: 1, Position: 0, TargetPosition: 0 }

  it('tells at once what it was asked for, and arrives later', () => {
    const still = cover.step(cover.step(closed, 60, calm), 1, calm)
    expect(cover.report(still)).toMatchObject(shut)
    const asked = cover.command(still, { Move: 1 })
    expect(cover.report(asked)).toMatchObject({ Move: 1, TargetPosition: 100, CoverState: 3, Position: 0 })
    expect(cover.report(cover.step(asked, 10, calm))).toMatchObject({ CoverState: 3, Position: 50 })
    expect(cover.report(cover.step(asked, 30, calm))).toMatchObject({ CoverState: 2, Position: 100 })
  })

  it('stops where it is', () => {
    const half = cover.step(cover.command(closed, { Move: 1 }), 10, calm)
    const stopped = cover.step(cover.command(half, { Move: 0 }), 60, calm)
    expect(cover.report(stopped)).toEqual({ CoverState: 2, Position: 50, Move: 0, TargetPosition: 50 })
  })

  it('goes to a position, from either side', () => {
    const at = (from: number, TargetPosition: number) =>
      cover.report(cover.step(cover.command({ ...closed, position: from }, { TargetPosition }), 60, calm))
    expect(at(0, 30)).toMatchObject({ Position: 30, TargetPosition: 30 })
    expect(at(100, 30)).toMatchObject({ Position: 30, TargetPosition: 30 })
  })
})

describe('button', () => {
  it('counts presses and stays as it was while nobody presses it', () => {
    let bell = button.make('903', { battery: 12 })
    expect(button.report(bell)).toEqual({ Presses: 0, Battery: 12, LinkQuality: 120 })
    for (const pressed of [true, false, true]) bell = button.step(bell, 1, { ...calm, pressed })
    expect(button.report(bell)).toMatchObject({ Presses: 2, Press: 2 })
  })
})

describe('siren', () => {
  it('sounds until it is silenced, or has sounded for three minutes', () => {
    const on = siren.command(siren.make('904', {}), { Switch: 1 })
    expect(siren.report(siren.step(on, 60, calm))).toEqual({ Switch: 1 })
    expect(siren.report(siren.command(on, { Switch: 0 }))).toEqual({ Switch: 0 })
    expect(siren.report(siren.step(on, 180, calm))).toEqual({ Switch: 0 })
  })
})

describe('sensor', () => {
  it('sees the air used up by people and freshen when they have left, however the time is cut', () => {
    const people = { ...calm, occupied: true }
    const fresh = sensor.make('905', {})
    const used = sensor.step(fresh, 3_600, people)
    expect(sensor.report(used)['Value']).toBeGreaterThan(1_000)
    const cut = sensor.step(sensor.step(fresh, 1_000, people), 2_600, people)
    expect(cut.co2).toBeCloseTo(used.co2, 6)
    expect(sensor.report(sensor.step(used, 6 * 3_600, calm))).toMatchObject({ Value: 420, Unit: 'ppm' })
  })
})
