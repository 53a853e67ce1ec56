import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clampMeter } from '../../../simulator/models/meters.ts'
import {
  doorSensor,
  MOTION_HOLD_SECONDS,
  motionSensor,
  smokeSensor,
} from '../../../simulator/models/sensors.ts'
import { dryContact, lightSwitch } from '../../../simulator/models/switches.ts'
import { CALM as calm } from '../../../simulator/models/model.ts'

const spans = fc.array(
  fc.record({
    seconds: fc.double({ min: 0, max: 7_200, noNaN: true }),
    watts: fc.double({ min: 0, max: 100_000, noNaN: true }),
  }),
  { maxLength: 50 },
)

describe('clamp meter', () => {
  it('conserves energy: the counter moves by power times time, however the time is cut', () => {
    fc.assert(
      fc.property(spans, (past) => {
        const end = past.reduce(
          (meter, { seconds, watts }) => clampMeter.step(meter, seconds, { ...calm, watts }),
          clampMeter.make('514', { kwh: 100 }),
        )
        const joules = past.reduce((sum, { seconds, watts }) => sum + seconds * watts, 0)
        expect(end.kwh - 100).toBeCloseTo(joules / 3_600_000, 6)
      }),
    )
  })

  it('never counts backwards, even when power flows back', () => {
    let meter = clampMeter.make('528', { kwh: 7 })
    let last = 7
    for (const watts of [500, -900, 0, 3, -1, 20_000]) {
      meter = clampMeter.step(meter, 60, { ...calm, watts })
      const { AccumulatePower } = clampMeter.report(meter) as { AccumulatePower: number }
      expect(AccumulatePower).toBeGreaterThanOrEqual(last)
      last = AccumulatePower
    }
  })

  it('shows a current that fits its power, voltage and power factor, on one phase and on three', () => {
    const world = { ...calm, watts: 6_600, volts: 380, powerFactor: 0.8 }
    const single = clampMeter.report(clampMeter.step(clampMeter.make('514', {}), 1, { ...world, volts: 220 }))
    expect(single['AvgElectricCurrent']).toBeCloseTo(6_600 / 0.8 / 220, 3)
    const three = clampMeter.report(clampMeter.step(clampMeter.make('528', { phases: 3 }), 1, world))
    expect(three['AvgElectricCurrent']).toBeCloseTo(6_600 / 0.8 / 380 / Math.sqrt(3), 3)
  })

  it('knows no voltage as a 513', () => {
    expect(clampMeter.report(clampMeter.make('513', {}))).not.toHaveProperty('Voltage')
  })
})

describe('light switch', () => {
  it('follows people, and leaves alone what was switched from elsewhere until they change their mind', () => {
    let light = lightSwitch.step(lightSwitch.make('534', {}), 1, { ...calm, lit: 1 })
    expect(lightSwitch.report(light)).toEqual({ Switch1: 1, Switch2: 1 })
    light = lightSwitch.command(light, { Switch2: 0 })
    light = lightSwitch.step(light, 60, { ...calm, lit: 1 })
    expect(lightSwitch.report(light)).toEqual({ Switch1: 1, Switch2: 0 })
    light = lightSwitch.step(light, 60, calm)
    expect(lightSwitch.report(light)).toEqual({ Switch1: 0, Switch2: 0 })
  })

  it('draws power only for the gangs that are on', () => {
    const light = lightSwitch.command(lightSwitch.make('535', { lampWatts: 50 }), { Switch1: 1, Switch3: 1 })
    expect(lightSwitch.draws(light)).toBe(100)
  })
})

describe('dry contact', () => {
  const pulse = () => dryContact.make('517', { contactMode: 0, pulseSeconds: 60 })

  it('opens again by itself after its pulse, not before', () => {
    let contact = dryContact.command(pulse(), { Switch: 1 })
    contact = dryContact.step(contact, 59, calm)
    expect(dryContact.report(contact)).toMatchObject({ Switch: 1 })
    contact = dryContact.step(contact, 1, calm)
    expect(dryContact.report(contact)).toMatchObject({ Switch: 0 })
  })

  it('starts its pulse again with a second command', () => {
    let contact = dryContact.step(dryContact.command(pulse(), { Switch: 1 }), 50, calm)
    contact = dryContact.step(dryContact.command(contact, { Switch: 1 }), 50, calm)
    expect(dryContact.report(contact)).toMatchObject({ Switch: 1 })
  })

  it('stays as it was set in switch mode', () => {
    const contact = dryContact.command(dryContact.make('517', { contactMode: 1 }), { Switch: 1 })
    expect(dryContact.report(dryContact.step(contact, 86_400, calm))).toMatchObject({ Switch: 1 })
  })

  it('changes with every press of its button in toggle mode', () => {
    const press = { ...calm, pressed: true }
    const once = dryContact.step(dryContact.make('517', { contactMode: 2 }), 1, press)
    expect(dryContact.report(once)).toMatchObject({ Switch: 1 })
    expect(dryContact.report(dryContact.step(once, 1, press))).toMatchObject({ Switch: 0 })
  })
})

describe('sensors', () => {
  it('a motion sensor holds its motion for a minute after the last movement', () => {
    const moved = motionSensor.step(motionSensor.make('754', {}), 1, { ...calm, moving: true })
    expect(motionSensor.report(motionSensor.step(moved, MOTION_HOLD_SECONDS - 1, calm))).toEqual({
      MotionState: 1,
    })
    expect(motionSensor.report(motionSensor.step(moved, MOTION_HOLD_SECONDS, calm))).toEqual({
      MotionState: 0,
    })
  })

  it('a door sensor says 2 while the door is open and 1 when it is closed', () => {
    const open = doorSensor.step(doorSensor.make('755', {}), 1, { ...calm, doorOpen: true })
    expect(doorSensor.report(open)).toEqual({ DoorState: 2 })
    expect(doorSensor.report(doorSensor.step(open, 1, calm))).toEqual({ DoorState: 1 })
  })
})

describe('smoke sensor', () => {
  const after = (...worlds: Partial<typeof calm>[]) =>
    smokeSensor.report(
      worlds.reduce(
        (state, world) => smokeSensor.step(state, 90, { ...calm, ...world }),
        smokeSensor.make('756', {}),
      ),
    )['SmokeState']

  it('sees smoke, and a fire in smoke that stays', () => {
    expect(after({})).toBe(1)
    expect(after({ smoky: true })).toBe(2)
    expect(after({ smoky: true }, { smoky: true })).toBe(3)
    expect(after({ smoky: true }, { smoky: true }, {})).toBe(1)
  })

  it('says that it is loose or broken, and sees nothing meanwhile', () => {
    expect(after({ smoky: true, loose: true })).toBe(4)
    expect(after({ smoky: true, faulty: true, loose: true })).toBe(5)
    expect(after({ smoky: true, loose: true }, { smoky: true })).toBe(2)
  })
})
