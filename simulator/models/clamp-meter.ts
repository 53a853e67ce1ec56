import { type Battery, emptyBattery, work } from './battery.ts'
import type { Model } from './model.ts'

export interface ClampMeter {
  /** The meter measures voltage; 513 only clamps a conductor. */
  seesVoltage: boolean
  phases: 1 | 3
  kwh: number
  /** kWh of a second register, which counts the other direction; absent if the meter has none. */
  returned?: number
  /** It measures a source: a plant, or a battery. */
  source?: true
  battery?: Battery
  /** Negative while energy flows the other way. */
  watts: number
  volts: number
  powerFactor: number
}

/** A number with the meter's resolution. */
export const round = (value: number, decimals: number) => Math.round(value * 10 ** decimals) / 10 ** decimals

/** Rounds down, so that the last digit never falls. */
const shown = (kwh: number) => Math.floor(kwh * 10_000) / 10_000

/** Counts energy, never backwards: energy in the other direction is counted by a second register, or not at all. */
export const clampMeter: Model<ClampMeter> = {
  make: (type, { kwh = 0, kwhReturned, phases = 1, source, storage }) => ({
    seesVoltage: type !== '513',
    phases,
    kwh,
    ...(kwhReturned !== undefined && { returned: kwhReturned }),
    ...((source || storage) && { source: true as const }),
    ...(storage && { battery: emptyBattery(storage) }),
    watts: 0,
    volts: phases === 3 ? 380 : 220,
    powerFactor: 1,
  }),
  step(state, seconds, world) {
    const worked =
      state.battery && work(state.battery, seconds, { lacks: world.watts, giving: world.batteryGives })
    const flow = worked ? worked.watts : world.watts
    const watts = state.returned === undefined ? Math.max(0, flow) : flow
    const counted = (power: number) => (Math.max(0, power) * seconds) / 3_600_000
    return {
      ...state,
      kwh: state.kwh + counted(watts),
      ...(state.returned !== undefined && { returned: state.returned + counted(-watts) }),
      ...(worked && { battery: worked.battery }),
      watts,
      volts: world.volts,
      powerFactor: world.powerFactor,
    }
  },
  report({ seesVoltage, phases, kwh, returned, watts, volts, powerFactor }) {
    const apparent = Math.abs(watts) / Math.max(0.05, powerFactor)
    return {
      AccumulatePower: shown(kwh),
      ...(returned !== undefined && { AccumulateReturn: shown(returned) }),
      Power: round(watts, 1),
      AvgElectricCurrent: round(apparent / (volts * (phases === 3 ? Math.sqrt(3) : 1)), 3),
      ...(seesVoltage && {
        Voltage: round(volts, 1),
        PowerFactor: round(powerFactor, 3),
        // 0 none, 1 lag, 2 lead (§4): motors lag.
        PhaseShift: powerFactor > 0.995 ? 0 : powerFactor < 0 ? 2 : 1,
      }),
    }
  },
  command: (state) => state,
  draws: ({ source, watts }) => (source ? -watts : watts),
}
