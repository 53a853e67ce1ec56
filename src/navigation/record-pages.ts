import type { ResourceName } from '../../contract/index.ts'
import { paths, type PathName, type PathSpec } from './paths.ts'

/** Paths of record pages, which use Refine's hooks. */
export const recordPages = (Object.entries(paths) as [PathName, PathSpec][])
  .filter(([, { record }]) => record)
  .map(([name]) => name)

/** Records whose list is a page without the record kit, so that e.g. the device list does not wait for the kit. */
export const listPages = {
  peripheral: 'DeviceList',
  tariff: 'Tariff',
  virtualMeter: 'Meters',
  automation: 'SmartLinkListing',
  floor: 'Building',
  dashboard: 'Dashboard',
} as const satisfies Partial<Record<ResourceName, PathName>>
