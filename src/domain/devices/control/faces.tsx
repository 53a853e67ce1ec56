import type { ComponentType } from 'react'
import type { CapabilityName } from '../../../../contract/devices/capabilities/capability.ts'
import { loadNamespaces } from '../../../lib/i18n/i18n.ts'
import { lazyPart, type LazyPart } from '../../../ui/page/lazy.tsx'
import { Skeleton } from '../../../ui/page/skeleton.tsx'
import type { FaceProps } from './face.ts'

/** Lazily loaded panel; a preloaded one renders immediately, without the skeleton. */
const lazyFace = (load: () => Promise<{ default: ComponentType<FaceProps> }>): LazyPart<FaceProps> =>
  lazyPart(load, { fallback: <Skeleton rows={2} /> })

/** Generic panel, rendered from the fields in the contract. */
const fields = lazyFace(() => import('./fields.tsx'))

const appliance = lazyFace(() => import('./appliance.tsx'))

/** Panel of each capability. The device panel shows those of a device's capabilities in their order. */
export const faces: Record<CapabilityName, LazyPart<FaceProps>> = {
  switches: fields,
  dimmer: fields,
  meter: lazyFace(() => import('./meter.tsx')),
  motion: fields,
  presence: lazyFace(() => import('./presence.tsx')),
  door: fields,
  smoke: fields,
  shock: fields,
  airQuality: fields,
  dryContact: fields,
  lightHouse: lazyFace(
    async () => (await Promise.all([import('./light-house.tsx'), loadNamespaces(['lightHouse'])]))[0],
  ),
  thermostat: lazyFace(() => import('./thermostat.tsx')),
  airConditioner: appliance,
  dehumidifier: appliance,
  ventilation: appliance,
  modbus: lazyFace(() => import('./modbus.tsx')),
  camera: lazyFace(() => import('../camera/camera.tsx')),
  irRemote: lazyFace(() => import('../ir-remote/ir-remote.tsx')),
  cover: lazyFace(() => import('./cover.tsx')),
  button: fields,
  siren: fields,
  sensor: lazyFace(() => import('./sensor.tsx')),
  diagnostics: lazyFace(() => import('./diagnostics.tsx')),
}
