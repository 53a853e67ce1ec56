import { motion } from '../capabilities/motion.ts'
import { DAILY_CHECK_IN, type DeviceKind } from './device-kind.ts'

export const motionSensor = {
  kind: 'motionSensor',
  category: 'Motion',
  silentAfter: DAILY_CHECK_IN,
  variants: { 754: [motion] },
} as const satisfies DeviceKind
