import type { MmWaveConfig } from '../../contract/devices/capabilities/presence.ts'
import type { Model } from './model.ts'

export interface PresenceSensor {
  config: MmWaveConfig
  /** Seconds for which the last detection still counts. */
  hold: number
}

/** Minimum sensitivity at which a radar detects people who sit still. */
const SEES_STILL = 3

/** A radar: detects moving people, and people who sit still if its sensitivity is high enough. */
export const presenceSensor: Model<PresenceSensor> = {
  make: () => ({
    config: { MinDistance: 0.3, MaxDistance: 5, MotionSensitivity: 7, StaticSensitivity: 6, HoldTime: 30 },
    hold: 0,
  }),
  step({ config, hold }, seconds, { moving, occupied }) {
    const seen = moving || (occupied && config.StaticSensitivity >= SEES_STILL)
    return { config, hold: seen ? config.HoldTime : Math.max(0, hold - seconds) }
  },
  report: ({ config, hold }) => ({ MotionState: hold > 0 ? 1 : 0, mmWaveConfig: config }),
  command: (state, { mmWaveConfig = state.config }) => ({ ...state, config: mmWaveConfig as MmWaveConfig }),
  draws: () => 0,
}
