import { irRemote } from '../capabilities/ir-remote.ts'
import type { DeviceKind } from './device-kind.ts'

export const infraredRemote = {
  kind: 'irRemote',
  category: 'IRRemote',
  variants: { 760: [irRemote] },
} as const satisfies DeviceKind
