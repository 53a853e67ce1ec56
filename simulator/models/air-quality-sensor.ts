import type { Model } from './model.ts'
import { approach } from './room-air.ts'

export interface AirQualitySensor {
  dust: number
  temperature: number
  humidity: number
  /** The values of the room's air have been taken over. */
  settled?: boolean
}

/** Time constants of the air in a room, in minutes. */
const DUST_MINUTES = 10
const AIR_MINUTES = 40

const clamp = (min: number, max: number, value: number) => Math.min(max, Math.max(min, value))

/** Reports the air quality with the resolution of such sensors; a room's air changes slowly. */
export const airQualitySensor: Model<AirQualitySensor> = {
  make: () => ({ dust: 12, temperature: 25, humidity: 60 }),
  step: (state, seconds, { dust, temperature, humidity }) =>
    state.settled
      ? {
          dust: approach(state.dust, dust, seconds, DUST_MINUTES),
          temperature: approach(state.temperature, temperature, seconds, AIR_MINUTES),
          humidity: approach(state.humidity, humidity, seconds, AIR_MINUTES),
          settled: true,
        }
      : { dust, temperature, humidity, settled: true },
  report: ({ dust, temperature, humidity }) => ({
    PM25: Math.round(clamp(0, 1_000, dust)),
    Temperature: Math.round(clamp(-40, 85, temperature) * 10) / 10,
    Humidity: Math.round(clamp(0, 100, humidity)),
  }),
  command: (state) => state,
  draws: () => 0,
}
