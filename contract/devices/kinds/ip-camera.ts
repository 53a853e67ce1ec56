import { camera } from '../capabilities/camera.ts'
import type { DeviceKind } from './device-kind.ts'

export const ipCamera = {
  kind: 'ipCamera',
  category: 'IPCamera',
  variants: { 752: [camera] },
} as const satisfies DeviceKind
