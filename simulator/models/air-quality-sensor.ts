import type { Model } from './model.ts'

export interface AirQualitySensor {
  dust: number
  temperature: number
  humidity: number
}

const between = (least: number, most: number, value: number) => Math.min(most, Math.max(least, value))

/** Says what the air is like, as finely as such sensors measure. */
export const airQualitySensor: Model<AirQualitySensor> = {
  make: () => ({ dust: 12, temperature: 25, humidity: 60 }),
  step: (_state, _seconds, { dust, temperature, humidity }) => ({ dust, temperature, humidity }),
  report: ({ dust, temperature, humidity }) => ({
    PM25: Math.round(between(0, 1_000, dust)),
    Temperature: Math.round(between(-40, 85, temperature) * 10) / 10,
    Humidity: Math.round(between(0, 100, humidity)),
  }),
  command: (state) => state,
  draws: () => 0,
}
