import { motion } from './capabilities/motion.ts'
import type { DeviceKind } from './device-kind.ts'

export const motionSensor = {
  kind: 'motionSensor',
  category: 'Motion',
  variants: { 754: [motion] },
} as const satisfies DeviceKind
