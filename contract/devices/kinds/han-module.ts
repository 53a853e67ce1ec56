import type { DeviceKind } from './device-kind.ts'

/** The home-area-network module of a smart meter: part of its hub, hidden from lists (§3). */
export const hanModule = {
  kind: 'hanModule',
  category: 'SmartMeter',
  hidden: true,
  variants: { 523: [], 524: [] },
} as const satisfies DeviceKind
