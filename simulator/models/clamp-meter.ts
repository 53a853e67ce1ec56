import type { Model } from './model.ts'

export interface ClampMeter {
  /** 513 clamps a conductor and knows no voltage of its own. */
  seesVoltage: boolean
  phases: 1 | 3
  kwh: number
  watts: number
  volts: number
  powerFactor: number
}

/** A figure as fine as the meter shows it. */
export const round = (value: number, decimals: number) => Math.round(value * 10 ** decimals) / 10 ** decimals

/** Counts what flows, never backwards: power fed back into the line is shown by no counter of this kind. */
export const clampMeter: Model<ClampMeter> = {
  make: (type, { kwh = 0, phases = 1 }) => ({
    seesVoltage: type !== '513',
    phases,
    kwh,
    watts: 0,
    volts: phases === 3 ? 380 : 220,
    powerFactor: 1,
  }),
  step(state, seconds, world) {
    const watts = Math.max(0, world.watts)
    return {
      ...state,
      kwh: state.kwh + (watts * seconds) / 3_600_000,
      watts,
      volts: world.volts,
      powerFactor: world.powerFactor,
    }
  },
  report({ seesVoltage, phases, kwh, watts, volts, powerFactor }) {
    const apparent = watts / Math.max(0.05, powerFactor)
    return {
      // Rounded down, so that the last digit never falls.
      AccumulatePower: Math.floor(kwh * 10_000) / 10_000,
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
  draws: ({ watts }) => watts,
}
