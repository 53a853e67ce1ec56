import { describe, expect, it } from 'vitest'
import { OPERATIONS, type FeatureKey, type Operation } from '../../../contract/kernel/permissions.ts'
import type { HomeWithRooms } from '../../../contract/homes/home.ts'
import { subjectOf } from '../../../src/data/session.ts'
import { countCategories, menuOf, type MenuEntry } from '../../../src/shell/menu.ts'
import { owner, subUser } from '../../support/msw.ts'
import { aPeripheral } from '../../support/peripheral.ts'

const home: HomeWithRooms = {
  HomeID: 'h1',
  HomeName: 'HQ',
  TimeZone: 'Asia/Taipei',
  ThreadNetworkKey: null,
  Latitude: null,
  Longitude: null,
  RoomList: [
    { HomeID: 'h1', RoomID: 0, RoomName: 'Default', PeripheralList: ['p1'], ThingNameList: [] },
    { HomeID: 'h1', RoomID: 4, RoomName: 'Lobby', PeripheralList: [], ThingNameList: [] },
  ],
}
const facts = {
  subject: subjectOf(owner),
  home,
  categories: new Map([['Door' as const, 2]]),
  hasScreen: () => true,
}
const keys = (entries: readonly MenuEntry[]): string[] =>
  entries.flatMap((entry) => [entry.key, ...keys(entry.children ?? [])])
const withRight = (feature: FeatureKey, ...operations: Operation[]) =>
  subjectOf(subUser([{ FeatureKey: feature, OperationList: operations }]))

describe('the side menu', () => {
  it('is in the order of the specification for the owner', () => {
    expect(menuOf(facts).map(({ key }) => key)).toEqual([
      'Dashboard',
      'Building',
      'DeviceList',
      'AddDevices',
      'alarm',
      'automation',
      'history',
      'categories',
      'RoomList',
      'rooms',
      'HomeList',
      'accounts',
      'conference',
      'AccessControl',
      'Firmware',
      'CompanyProfile',
      'NotificationChannels',
      'ReportPlans',
      'AuditLog',
    ])
  })

  it('opens the alarms of the home that has the most urgent one', () => {
    const alarm = menuOf({ ...facts, alarmHomeId: 'h9' }).find(({ key }) => key === 'alarm')
    expect(alarm?.children?.map(({ to }) => to)).toContain('/Alarm/h9')
  })

  it('counts the categories and rooms of its folded groups', () => {
    const counts = Object.fromEntries(menuOf(facts).map(({ key, count }) => [key, count]))
    expect(counts).toMatchObject({ categories: 1, rooms: 2, alarm: undefined })
  })

  it.each<[FeatureKey, string[]]>([
    ['dashboard', ['Dashboard']],
    [
      'device',
      ['Building', 'DeviceList', 'Alarm', 'categories', 'category-Door', 'rooms', 'room-0', 'room-4'],
    ],
    ['room', ['RoomList']],
    ['home', ['HomeList']],
    ['group', ['automation', 'GroupListing']],
    ['scene', ['automation', 'SceneList']],
    ['schedule', ['automation', 'ScheduleListing']],
    ['smart_link', ['automation', 'SmartLinkListing']],
    ['history', ['history', 'historyData']],
    ['electricity', ['history', 'Electricity', 'Insight', 'Report', 'Tariff', 'Meters']],
    ['user', ['accounts', 'deptSetting', 'UserListing']],
    ['conference_room', ['conference', 'ConferenceRoomListing', 'ConferenceRoomBooking']],
    ['company', ['CompanyProfile', 'NotificationChannels', 'ReportPlans']],
  ])(
    'shows with Read on %s its entries and the notification history, which is open to all',
    (feature, expected) => {
      const shown = keys(menuOf({ ...facts, subject: withRight(feature, 'Read') }))
      expect(shown.filter((key) => key !== 'historyNotification' && key !== 'alarm')).toEqual(expected)
      expect(shown).toContain('historyNotification')
    },
  )

  it('offers adding devices with Create, not with Read', () => {
    const create = withRight('device', 'Read', 'Create')
    expect(keys(menuOf({ ...facts, subject: create }))).toContain('AddDevices')
    const read = withRight('device', ...OPERATIONS.filter((operation) => operation !== 'Create'))
    expect(keys(menuOf({ ...facts, subject: read }))).not.toContain('AddDevices')
  })

  it('shows the Modbus tables below the room settings if the home has Modbus devices', () => {
    const listed = menuOf({ ...facts, categories: new Map([['ModBus' as const, 1]]) }).map(({ key }) => key)
    expect(listed.indexOf('ModbusTableListing')).toBe(listed.indexOf('RoomList') + 1)
    expect(menuOf(facts).map(({ key }) => key)).not.toContain('ModbusTableListing')
  })

  it('hides entries that need a home if there is none', () => {
    expect(keys(menuOf({ ...facts, home: undefined, categories: new Map() }))).toEqual([
      'Dashboard',
      'HomeList',
      'accounts',
      'deptSetting',
      'UserListing',
      'conference',
      'ConferenceRoomListing',
      'ConferenceRoomBooking',
      'AccessControl',
      'CompanyProfile',
      'NotificationChannels',
      'ReportPlans',
      'AuditLog',
    ])
  })

  it('hides entries without a screen', () => {
    expect(keys(menuOf({ ...facts, hasScreen: (name) => name === 'HomeList' }))).toEqual(['HomeList'])
  })

  it('is empty while permissions are unknown', () => {
    expect(menuOf({ ...facts, subject: undefined })).toEqual([])
  })

  it('counts devices by category, except hidden and unknown types', () => {
    const device = (PeripheralUID: string, PeripheralType: string) =>
      aPeripheral({ PeripheralUID, PeripheralType })
    const Peripherals = [
      device('a', '516'),
      device('b', '533'),
      device('c', '755'),
      device('d', '99999'),
      device('e', '523'),
    ]
    expect([...countCategories({ Things: [], Peripherals, Statuses: [] })]).toEqual([
      ['LightSwitch', 2],
      ['Door', 1],
    ])
  })
})
