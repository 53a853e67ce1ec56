import type { ComponentType } from 'react'
import type { CapabilityName } from '../../../../contract/devices/capabilities/capability.ts'
import { loadNamespaces } from '../../../lib/i18n/i18n.ts'
import { lazyPart, type LazyPart } from '../../../ui/page/lazy-part.tsx'
import { Skeleton } from '../../../ui/plain/skeleton.tsx'
import type { FaceProps } from './face.ts'

/** A face that was fetched ahead is there in the first picture. */
const lazy = (load: () => Promise<{ default: ComponentType<FaceProps> }>): LazyPart<FaceProps> =>
  lazyPart(load, { meanwhile: <Skeleton rows={2} /> })

/** Drawn from what the contract says of the fields. */
const fields = lazy(() => import('./fields.tsx'))

/** The appliances of TaiSEIA, with what they are set to in the first place. */
const appliance = lazy(() => import('./appliance.tsx'))

/** How each capability looks in the device panel. A device is drawn by the faces of its capabilities, in their order. */
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
