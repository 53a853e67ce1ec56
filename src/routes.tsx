import type { ResourceProps } from '@refinedev/core'
import { lazy, type ComponentType, type LazyExoticComponent } from 'react'
import { resources, type ResourceName } from '../contract/index.ts'
import { paths, type PathName } from './paths.ts'

type Screen = LazyExoticComponent<ComponentType>

// One view for several paths keeps its state when a person goes from one to the other.
const dashboard: Screen = lazy(() => import('./custom-views/dashboard/dashboard.tsx'))
const deviceList: Screen = lazy(() => import('./custom-views/device-list/device-list-page.tsx'))

/**
 * The screen of each path. A path of §2 without a screen has no line here: it is no route, and the menu does not offer it.
 */
export const screens: Partial<Record<PathName, Screen>> = {
  Home: dashboard,
  Dashboard: dashboard,
  HomeList: lazy(() => import('./resources/home/home-list.tsx')),
  CreateHome: lazy(() => import('./resources/home/create-home.tsx')),
  DeviceList: deviceList,
  DeviceCategory: deviceList,
  RoomDevice: deviceList,
  RoomList: lazy(() => import('./resources/room/room-list.tsx')),
  DeviceInfo: lazy(() => import('./custom-views/device-detail/device-page.tsx')),
  AddDevices: lazy(() => import('./custom-views/add-device/add-devices-page.tsx')),
  UserListing: lazy(() => import('./resources/user/user-list.tsx')),
  addUser: lazy(() => import('./resources/user/user-form.tsx')),
  editUser: lazy(() => import('./resources/user/user-form.tsx')),
  deptSetting: lazy(() => import('./resources/department/department-list.tsx')),
  ChangePassword: lazy(() => import('./custom-views/personal/change-password.tsx')),
  ChangeNotificationSetting: lazy(() => import('./custom-views/personal/notification-setting.tsx')),
  ChangeDecimalPrecisionSetting: lazy(() => import('./custom-views/personal/decimal-precision-setting.tsx')),
  CompanyProfile: lazy(() => import('./custom-views/company/company-profile.tsx')),
  PermissionDenied: lazy(() => import('./shell/permission-denied.tsx')),
}

export const hasScreen = (name: PathName): boolean => screens[name] !== undefined

/** Which view a path shows: paths of one view have the same, and the frame shows it loading only when it changes. */
export const viewOf = (name: PathName | undefined): number =>
  Object.values(screens).findIndex((screen) => name !== undefined && screen === screens[name])

/** Pages of plain records: lists and forms that may use Refine's hooks. */
export const recordPages: readonly PathName[] = [
  'HomeList',
  'CreateHome',
  'RoomList',
  'UserListing',
  'addUser',
  'editUser',
  'deptSetting',
]

/** The resource that a list page belongs to, for Refine. */
const listPages: Partial<Record<ResourceName, PathName>> = {
  home: 'HomeList',
  room: 'RoomList',
  peripheral: 'DeviceList',
  user: 'UserListing',
  department: 'deptSetting',
}

/** Refine's resources[]: every record of the contract, with the pages that show it. */
export const refineResources: ResourceProps[] = (Object.keys(resources) as ResourceName[]).map((name) => {
  const page = listPages[name]
  return { name, ...(page && hasScreen(page) && { list: paths[page].patterns[0] }) }
})
