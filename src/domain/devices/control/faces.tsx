import type { ComponentType } from 'react'
import type { CapabilityName } from '../../../../contract/devices/capabilities/capability.ts'
import { loadNamespaces } from '../../../lib/i18n/i18n.ts'
import { lazyPart, type LazyPart } from '../../../ui/page/lazy.tsx'
import { Skeleton } from '../../../ui/page/skeleton.tsx'
import type { FaceProps } from './face.ts'

/** Lazily loaded panel; a preloaded one renders immediately, without the skeleton. */
const lazy = (load: () => Promise<{ default: ComponentType<FaceProps> }>): LazyPart<FaceProps> =>
  lazyPart(load, { meanwhile: <Skeleton rows={2} /> })

/** Generic panel, rendered from the fields in the contract. */
const fields = lazy(() => import('./fields.tsx'))

const appliance = lazy(() => import('./appliance.tsx'))

/** Panel of each capability. The device panel shows those of a device's capabilities in their order. */
export const faces: Record<CapabilityName, LazyPart<FaceProps>> = {
  switches: fields,
  dimmer: fields,
  meter: lazy(() => import('./meter.tsx')),
  motion: fields,
  presence: lazy(() => import('./presence.tsx')),
  door: fields,
  smoke: fields,
  shock: fields,
  airQuality: fields,
  dryContact: fields,
  lightHouse: lazy(
    async () => (await Promise.all([import('./light-house.tsx'), loadNamespaces(['lightHouse'])]))[0],
  ),
  thermostat: lazy(() => import('./thermostat.tsx')),
  airConditioner: appliance,
  dehumidifier: appliance,
  ventilation: appliance,
  modbus: lazy(() => import('./modbus.tsx')),
  camera: lazy(() => import('../camera/camera.tsx')),
  irRemote: lazy(() => import('../ir-remote/ir-remote.tsx')),
  cover: lazy(() => import('./cover.tsx')),
  button: fields,
  siren: fields,
  sensor: lazy(() => import('./sensor.tsx')),
  diagnostics: lazy(() => import('./diagnostics.tsx')),
}
