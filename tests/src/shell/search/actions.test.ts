import { describe, expect, it } from 'vitest'
import type { HomeWithRooms } from '../../../../contract/homes/home.ts'
import { subjectOf } from '../../../../src/data/session.ts'
import {
  actionsFor,
  normalizeText,
  VERBS,
  verbsIn,
  type SearchContext,
  type Phrases,
  type Verb,
} from '../../../../src/shell/search/actions.ts'
import { readWords } from '../../../support/read-words.ts'
import { owner, subUser } from '../../../support/msw.ts'
import { aPeripheral } from '../../../support/peripheral.ts'

/** Phrases of the verbs in both languages, from the locales. */
const phrases = Object.fromEntries(
  VERBS.map((verb) => [
    verb,
    ['zh-TW', 'en-US'].flatMap((language) => {
      const { verbs } = readWords(language)['search'] as { verbs: Record<Verb, { words: string }> }
      return verbs[verb].words.split('|')
    }),
  ]),
) as unknown as Phrases

const room = (RoomID: number, RoomName: string) => ({
  HomeID: 'h1',
  RoomID,
  RoomName,
  PeripheralList: [],
  ThingNameList: [],
})
const home: HomeWithRooms = {
  HomeID: 'h1',
  HomeName: '內湖總部',
  TimeZone: 'Asia/Taipei',
  ThreadNetworkKey: null,
  Latitude: null,
  Longitude: null,
  RoomList: [room(1, '三樓會議室'), room(2, '一樓大廳'), room(3, '機房')],
}
const lamp = (PeripheralUID: string, RoomID: number) =>
  aPeripheral({ PeripheralUID, PeripheralName: `燈 ${PeripheralUID}`, PeripheralType: '516', RoomID })
const facts: SearchContext = {
  subject: subjectOf(owner),
  homes: [home],
  devices: {
    Things: [],
    Peripherals: [
      lamp('a', 1),
      lamp('b', 2),
      aPeripheral({ PeripheralUID: 'pump', PeripheralName: '抽水馬達', PeripheralType: '517', RoomID: 3 }),
    ],
    Statuses: [],
  },
  current: home,
  hasScreen: () => true,
  hasTour: false,
}
const ids = (text: string, more: Partial<SearchContext> = {}) =>
  actionsFor(text, phrases, { ...facts, ...more }).map(({ id }) => id)

describe('search actions', () => {
  it.each([
    '三樓 關燈',
    '關燈 三樓',
    '三樓關燈',
    '3樓 關燈',
    'lights off 3f',
    '3F Lights Off',
    'turn off lights 三樓',
  ])('understand “%s” in either order and language', (text) => expect(ids(text)[0]).toBe('lightsOff h1 1'))

  it('offer rooms of the current site that have lights if none is named', () => {
    expect(ids('關燈')).toEqual(expect.arrayContaining(['lightsOff h1 1', 'lightsOff h1 2']))
    expect(ids('關燈')).not.toContain('lightsOff h1 3')
  })

  it('never switch what needs confirmation, but open it', () => {
    const [action] = actionsFor('關閉 抽水馬達', phrases, facts)
    expect(action?.action).toEqual({ to: '/DeviceInfo/h1/pump' })
  })

  it('include only permitted ones', () => {
    const reader = { subject: subjectOf(subUser([{ FeatureKey: 'device', OperationList: ['Read'] }])) }
    expect(ids('三樓 關燈', reader)).toEqual([])
    expect(ids('邀請', reader)).toEqual([])
    expect(ids('dark mode', reader)).toEqual(['dark'])
  })

  it('include why last month cost more', () => {
    const [action] = actionsFor('上個月電費', phrases, facts)
    expect(action?.action).toEqual({
      to: '/electricity/h1?range=lastMonth&compare=previous&measure=cost&order=change',
    })
  })

  it('ignore the name of a device, and a single letter', () => {
    expect(ids('空氣品質感測器')).toEqual([])
    expect(ids('x')).toEqual([])
  })

  it('are each found by their first word in either language', () => {
    for (const verb of VERBS)
      for (const phrase of phrases[verb].slice(0, 1))
        expect(
          verbsIn(phrase, phrases).map((one) => one.verb),
          phrase,
        ).toContain(verb)
  })

  it('normalize the spelling of floors', () => {
    expect(normalizeText('３樓')).toBe(normalizeText('三樓'))
    expect(normalizeText('3 F')).toBe(normalizeText('3floor'))
  })
})
