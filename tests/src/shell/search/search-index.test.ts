import { describe, expect, it } from 'vitest'
import type { DeviceSnapshot } from '../../../../contract/devices/peripheral.ts'
import { search, searchIndex, type SearchHit } from '../../../../src/shell/search/search-index.ts'
import { partsOf } from '../../../../src/shell/search/search-parts.ts'

const found = (kind: SearchHit['kind'], title: string, where = ''): SearchHit => ({
  key: title,
  kind,
  title,
  where,
  to: '/',
})
const NOTHING = {
  pages: [],
  homes: [],
  devices: undefined,
  categoryName: () => '',
  meetingRooms: [],
  groups: [],
  scenes: [],
  mayRun: false,
}
const index = [
  found('page', '所有裝置'),
  found('home', 'Taipei HQ'),
  found('room', '大廳', 'Taipei HQ'),
  found('device', 'Lobby lamp', 'Taipei HQ'),
  found('device', 'Big lamp', 'Factory'),
]
const titles = (text: string) => search(index, text).map(({ title }) => title)

describe('the search', () => {
  it('shows the pages before anything is typed', () => {
    expect(titles(' ')).toEqual(['所有裝置'])
  })

  it('finds a name without its accents, in composed and decomposed Unicode', () => {
    for (const title of ['José', 'José'.normalize('NFD')])
      expect(search([found('device', title)], 'jose')).toHaveLength(1)
  })

  it('shows parts of pages if they match', () => {
    const parts = [...index, found('page', '需量', '電價與帳單')]
    expect(search(parts, '').map(({ title }) => title)).toEqual(['所有裝置'])
    expect(search(parts, '需量').map(({ title }) => title)).toEqual(['需量'])
    expect(search(parts, '帳單').map(({ title }) => title)).toEqual(['需量'])
  })

  it('finds only the permitted parts of pages', () => {
    const parts = partsOf(
      new Map([
        ['Electricity', '/electricity/h%201'],
        ['Tariff', '/tariff/h%201'],
      ]),
    )
    const toOf = (name: string) => parts.find((part) => part.name === name)?.to
    expect(toOf('demand')).toBe('/tariff/h%201?tab=demand')
    expect(toOf('import')).toBe('/import/h%201')
    expect(toOf('replacement')).toBeUndefined()
    expect(toOf('export')).toBeUndefined()
  })

  it('finds Chinese in any width and case of letters', () => {
    expect(titles('大廳')).toEqual(['大廳'])
    expect(titles('ＴＡＩＰＥＩ')[0]).toBe('Taipei HQ')
  })

  it('requires every word, in title or place', () => {
    expect(titles('lamp factory')).toEqual(['Big lamp'])
    expect(titles('lamp nowhere')).toEqual([])
  })

  it('ranks titles that begin with the text first, then titles, then places', () => {
    expect(titles('taipei')).toEqual(['Taipei HQ', '大廳', 'Lobby lamp'])
    expect(titles('l')).toEqual(['Lobby lamp', 'Big lamp'])
  })

  it('links a room to its devices and a person to their page', () => {
    const home = {
      HomeID: 'h1',
      HomeName: 'HQ',
      TimeZone: 'Asia/Taipei',
      ThreadNetworkKey: null,
      Latitude: null,
      Longitude: null,
      RoomList: [{ HomeID: 'h1', RoomID: 2, RoomName: 'Lobby', PeripheralList: [], ThingNameList: [] }],
    }
    const built = searchIndex({ ...NOTHING, homes: [home] })
    expect(built.map(({ to }) => to)).toEqual(['/DeviceList/h1', '/RoomDevice/h1/2'])
  })

  it('finds a device by the name of its category', () => {
    const Peripherals = [{ PeripheralUID: 'd1', PeripheralType: '757', PeripheralName: '溫控', HomeID: 'h1' }]
    const devices = { Things: [], Statuses: [], Peripherals } as unknown as DeviceSnapshot
    const built = searchIndex({ ...NOTHING, devices, categoryName: () => 'Thermostats' })
    expect(search(built, 'thermostat')).toMatchObject([{ title: '溫控', where: 'Thermostats' }])
  })

  it('opens groups and scenes, and offers to run scenes with the right to control devices', () => {
    const facts = {
      ...NOTHING,
      groups: [{ HomeID: 'h1', GroupID: 'g1', GroupName: 'Lights' }],
      scenes: [{ HomeID: 'h1', SceneID: 's1', SceneName: 'Leaving' }],
    }
    const kinds = (mayRun: boolean) => searchIndex({ ...facts, mayRun }).map(({ kind, to }) => [kind, to])
    const opened = [
      ['group', '/updateGroup/h1/g1'],
      ['scene', '/updateScene/h1/s1'],
    ]
    expect(kinds(false)).toEqual(opened)
    expect(kinds(true)).toEqual([opened[0], ['runScene', '/updateScene/h1/s1'], opened[1]])
    const [run] = search(searchIndex({ ...facts, mayRun: true }), 'leaving')
    expect(run?.run).toEqual({ HomeID: 'h1', SceneID: 's1' })
  })
})
