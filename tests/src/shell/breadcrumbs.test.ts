import { describe, expect, it } from 'vitest'
import { pathOf, type PathName } from '../../../src/navigation/paths.ts'
import { crumbsOf, type CrumbFacts } from '../../../src/shell/page-crumbs.tsx'

const home = { HomeID: 'h1', HomeName: 'HQ' }
const room = { RoomID: 3, RoomName: 'Lobby' }

const shown = (address: string, facts: CrumbFacts = {}) => {
  const here = pathOf(address) as { name: PathName; params: Record<string, string> }
  return crumbsOf(here.name, here.params, { home, ...facts })
    .map((crumb) => ('page' in crumb ? `[${crumb.page}]` : crumb.text) + (crumb.to ? ` ${crumb.to}` : ''))
    .join(' > ')
}

describe('breadcrumbs', () => {
  it.each([
    ['the first page has none', '/', {}, ''],
    ['Home > home > feature', '/Rooms/h1', {}, '[Home] / > HQ /DeviceList/h1 > [RoomList]'],
    ['Home > home > room', '/RoomDevice/h1/3', { room }, '[Home] / > HQ /DeviceList/h1 > Lobby'],
    [
      'Home > home > category',
      '/DeviceCategory/h1/Door',
      { category: 'Door sensors' },
      '[Home] / > HQ /DeviceList/h1 > Door sensors',
    ],
    [
      'Home > home > room > device',
      '/DeviceInfo/h1/p1',
      { room, item: 'Lamp' },
      '[Home] / > HQ /DeviceList/h1 > Lobby /RoomDevice/h1/3 > Lamp',
    ],
    [
      'Home > home > devices > device while its room is unknown',
      '/DeviceInfo/h1/p1',
      { item: 'Lamp' },
      '[Home] / > HQ /DeviceList/h1 > [DeviceList] /DeviceList/h1 > Lamp',
    ],
    [
      'Home > home > automation kind > item',
      '/updateSchedule/h1/a1',
      { item: 'Lights out' },
      '[Home] / > HQ /DeviceList/h1 > [ScheduleListing] /ScheduleListing/h1 > Lights out',
    ],
    [
      'something new has no step before it has a title',
      '/updateScene/h1',
      {},
      '[Home] / > HQ /DeviceList/h1 > [SceneList]',
    ],
    [
      'and then its title',
      '/updateScene/h1',
      { item: 'New scene' },
      '[Home] / > HQ /DeviceList/h1 > [SceneList] /SceneList/h1 > New scene',
    ],
    ['people hang under Home', '/user/list', {}, '[Home] / > [UserListing]'],
    ['a person hangs under Home', '/user/u1', { item: 'Operator' }, '[Home] / > Operator'],
    ['departments hang under Home', '/dept', {}, '[Home] / > [deptSetting]'],
    ['the company hangs under Home', '/CompanyProfile', {}, '[Home] / > [CompanyProfile]'],
    ['a scanner hangs under Home', '/ScannerEdit/t1', { item: 'Gate' }, '[Home] / > Gate'],
    ['and so do its employees', '/ScannerEmployeeList/t1', { item: 'Gate' }, '[Home] / > Gate'],
    ['visitors hang under Home', '/VisitorManagement', {}, '[Home] / > [VisitorManagement]'],
    ['and so does each visit', '/VisitorEdit/v1', { item: '王先生' }, '[Home] / > 王先生'],
    ['an employee hangs under Home', '/EmployeeEdit/e1', { item: 'Lee' }, '[Home] / > Lee'],
    ['bookings hang under Home', '/ConferenceRoomMyBooking', {}, '[Home] / > [ConferenceRoomMyBooking]'],
  ])('%s', (_, address, facts, expected) => {
    expect(shown(address, facts)).toBe(expected)
  })
})
