import type { MmWaveConfig } from '../../../contract/devices/capabilities/sensors.ts'

/** Detection parameters of a radar in form order, with unit and bounds. */
export const MM_WAVE_FIELDS = [
  { name: 'MinDistance', unit: 'm', min: 0, max: 10, step: 0.1 },
  { name: 'MaxDistance', unit: 'm', min: 0, max: 10, step: 0.1 },
  { name: 'MotionSensitivity', unit: undefined, min: 1, max: 10, step: 1 },
  { name: 'StaticSensitivity', unit: undefined, min: 1, max: 10, step: 1 },
  { name: 'HoldTime', unit: 'seconds', min: 1, max: 3600, step: 1 },
] as const satisfies readonly { name: keyof MmWaveConfig; [rest: string]: unknown }[]
