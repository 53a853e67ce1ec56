import { clampMeter, round, type ClampMeter } from './clamp-meter.ts'
import type { Model } from './model.ts'

export interface SmartMeter extends ClampMeter {
  /** Number of lines measured separately; 0 for a single one. */
  lines: 0 | 2 | 3
}

/** Share of the load on each line: no building is balanced. */
const SHARES: Readonly<Record<SmartMeter['lines'], readonly number[]>> = {
  0: [],
  2: [0.56, 0.44],
  3: [0.37, 0.34, 0.29],
}
const LINES: Readonly<Record<string, SmartMeter['lines']>> = { 521: 2, 522: 3 }

/** Voltage of one line: line-to-line voltage is √3 of it with three phases, twice with the two lines of 110/220 V. */
const lineVolts = (lines: number, volts: number) => volts / (lines === 3 ? Math.sqrt(3) : lines)

/** A meter of the whole supply: one line (520), two of a single phase (521) or three phases (522). */
export const smartMeter: Model<SmartMeter> = {
  make: (type, wiring) => ({
    ...clampMeter.make('528', { ...wiring, phases: type === '522' ? 3 : 1 }),
    lines: LINES[type] ?? 0,
  }),
  step: (state, seconds, world) => ({ ...state, ...clampMeter.step(state, seconds, world) }),
  report(state) {
    const { lines, watts, volts, powerFactor } = state
    const each = SHARES[lines].map((share, i) => ({
      [`Power${i + 1}`]: round(watts * share, 1),
      [`Voltage${i + 1}`]: round(lineVolts(lines, volts), 1),
      [`Current${i + 1}`]: round(
        (Math.abs(watts) * share) / Math.max(0.05, Math.abs(powerFactor)) / lineVolts(lines, volts),
        3,
      ),
    }))
    return Object.assign(clampMeter.report(state), ...each) as Record<string, unknown>
  },
  command: (state) => state,
  draws: clampMeter.draws,
}
