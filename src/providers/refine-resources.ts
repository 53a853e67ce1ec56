import type { ResourceProps } from '@refinedev/core'
import { resources, type ResourceName } from '../../contract/index.ts'
import { paths, type PathName } from '../paths.ts'
import { hasScreen } from '../routes.tsx'

/** The resource that a list page belongs to, for Refine. */
const listPages: Partial<Record<ResourceName, PathName>> = {
  home: 'HomeList',
  room: 'RoomList',
  peripheral: 'DeviceList',
  user: 'UserListing',
  department: 'deptSetting',
  modbusTable: 'ModbusTableListing',
}

/** Refine's resources[]: every record of the contract, with the pages that show it. */
export const refineResources: ResourceProps[] = (Object.keys(resources) as ResourceName[]).map((name) => {
  const page = listPages[name]
  return { name, ...(page && hasScreen(page) && { list: paths[page].patterns[0] }) }
})
