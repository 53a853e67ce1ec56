import { lazy, type LazyExoticComponent } from 'react'
import type { CapabilityName } from '../../../contract/device-kinds/capability.ts'
import type { Face } from './face.ts'

/** How each capability looks in the device panel. A device is drawn by the faces of its capabilities, in their order. */
export const faces: Record<CapabilityName, LazyExoticComponent<Face>> = {
  switches: lazy(() => import('./switches.tsx')),
  meter: lazy(() => import('./meter.tsx')),
  motion: lazy(() => import('./motion.tsx')),
  door: lazy(() => import('./door.tsx')),
  dryContact: lazy(() => import('./dry-contact.tsx')),
}
