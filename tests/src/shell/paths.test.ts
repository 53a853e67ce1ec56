import { describe, expect, it } from 'vitest'
import { subjectOf } from '../../../src/data/session.ts'
import { mayOpen } from '../../../src/navigation/may-open.ts'
import { pathOf, paths, pathTo, type PathName } from '../../../src/navigation/paths.ts'
import { owner, subUser } from '../../support/msw.ts'

const names = Object.keys(paths) as PathName[]
const sample: Record<string, string> = { HomeID: 'h 1', RoomID: '0', Category: 'Door', peripheralID: 'p/1' }

describe('paths', () => {
  it.each(names)('resolves %s from its own address', (name) => {
    const address = pathTo(
      name,
      Object.fromEntries(parametersOf(name).map((key) => [key, sample[key] ?? 'x1'])),
    )
    expect(pathOf(address)?.name).toBe(name)
  })

  it('keeps special characters of a parameter', () => {
    expect(pathOf(pathTo('DeviceInfo', sample))?.params).toEqual({ HomeID: 'h 1', peripheralID: 'p/1' })
  })

  it('prefers a literal segment to a parameter', () => {
    expect(pathOf('/user/add')?.name).toBe('addUser')
    expect(pathOf('/user/someone')?.name).toBe('editUser')
  })

  it('finds no page at an unknown address', () => {
    expect(pathOf('/DeviceList')).toBeUndefined()
    expect(pathOf('/DeviceList/h1/more')).toBeUndefined()
  })

  it('fails to link to a page of a home without a home', () => {
    expect(() => pathTo('DeviceList')).toThrow('HomeID')
  })
})

describe('access to pages', () => {
  it('lets the owner open every page', () => {
    for (const name of names) expect(mayOpen(name, subjectOf(owner))).toBe(true)
  })

  it('lets a person without any right open only their own settings and the notification history', () => {
    const open = names.filter((name) => mayOpen(name, subjectOf(subUser())) === true)
    expect(open).toEqual([
      'ChangePassword',
      'ChangeNotificationSetting',
      'ChangeDecimalPrecisionSetting',
      'historyNotification',
      'PermissionDenied',
    ])
  })

  it.each([
    ['Home', 'dashboard'],
    ['Dashboard', 'dashboard'],
    ['HomeList', 'home'],
    ['CreateHome', 'home'],
    ['Building', 'device'],
    ['DeviceList', 'device'],
    ['DeviceCategory', 'device'],
    ['RoomDevice', 'device'],
    ['RoomList', 'room'],
    ['updateGroup', 'group'],
    ['updateScene', 'scene'],
    ['addUser', 'user'],
    ['deptSetting', 'user'],
    ['ConferenceRoomAddBooking', 'conference_room'],
    ['updateSchedule', 'schedule'],
    ['updateSmartLink', 'smart_link'],
    ['updateAlarm', 'power_meter_alarm'],
    ['Export', 'history'],
    ['historyData', 'history'],
    ['Electricity', 'electricity'],
    ['CompanyProfile', 'company'],
  ] as const)('opens %s only with Read on %s', (name, feature) => {
    const right = { FeatureKey: feature, OperationList: ['Read' as const] }
    expect(mayOpen(name, subjectOf(subUser([right])))).toBe(true)
    expect(mayOpen(name, subjectOf(subUser()))).toEqual({ feature, operation: 'Read' })
  })

  it('opens the access-control hub with any of its three features', () => {
    const right = { FeatureKey: 'access_control_scanner' as const, OperationList: ['Read' as const] }
    expect(mayOpen('AccessControl', subjectOf(subUser([right])))).toBe(true)
  })
})

function parametersOf(name: PathName): string[] {
  return [...paths[name].patterns[0].matchAll(/:(\w+)/g)].map((found) => found[1] as string)
}

it('has an existing parent page for each page', () => {
  const parents = Object.values(paths).flatMap(({ crumb }) => ('parent' in crumb ? [crumb.parent] : []))
  expect(parents.filter((name) => !(name in paths))).toEqual([])
  expect(parents).not.toEqual([])
})
