import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderHook } from '@testing-library/react'
import type { PropsWithChildren } from 'react'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EditedAction } from '../../../../src/domain/automation/targets/target.ts'
import type { ActionFacts } from '../../../../src/domain/automation/targets/use-action-facts.ts'
import { useActionWords } from '../../../../src/domain/automation/actions/use-action-words.ts'
import { actionsOf } from '../../../../src/domain/automation/words/actions-sentence.ts'
import { formatPhrase } from '../../../../src/domain/automation/words/phrase.ts'
import { changeLanguage, loadNamespaces, t } from '../../../../src/lib/i18n/i18n.ts'
import { aPeripheral } from '../../../support/peripheral.ts'

const device = (PeripheralUID: string, PeripheralType: string) =>
  [PeripheralUID, aPeripheral({ PeripheralUID, PeripheralType })] as const

const facts: ActionFacts = {
  HomeID: 'h1',
  rooms: [{ RoomID: 1, RoomName: '大會議室', Version: 1 }] as unknown as ActionFacts['rooms'],
  rows: [],
  devices: new Map([
    device('停車場燈', '535'),
    device('調光燈', '532'),
    device('冷氣', '527'),
    device('插座', '518'),
  ]),
  groups: new Map(),
  scenes: new Map(),
  known: { devices: true, groups: true, rooms: true, scenes: true },
}

const set = (PeripheralUID: string, Values: object) => ({ PeripheralUID, Values }) as EditedAction
const relays = (...[Switch1, Switch2, Switch3]: number[]) => set('停車場燈', { Switch1, Switch2, Switch3 })

/** No queries: personal settings have their defaults. */
const client = new QueryClient({ defaultOptions: { queries: { enabled: false } } })
const wrapper = ({ children }: PropsWithChildren) => (
  <QueryClientProvider client={client}>{children}</QueryClientProvider>
)

describe.each(['zh-TW', 'en-US'] as const)('an action in words of %s', (language) => {
  beforeAll(async () => {
    await loadNamespaces(['automation', 'screens', 'devices'])
    await changeLanguage(language)
  })
  afterAll(() => changeLanguage('zh-TW'))

  it.each<[string, EditedAction, string, string]>([
    ['switches all relays as one', relays(1, 1, 1), '開啟停車場燈', 'turn 停車場燈 on'],
    [
      'names relays that differ',
      relays(1, 0, 1),
      '將停車場燈設為開關 1：開、開關 2：關、開關 3：開',
      'set 停車場燈 to Switch 1: On, Switch 2: Off, Switch 3: On',
    ],
    [
      'names relays where some are left alone',
      set('停車場燈', { Switch1: 1, Switch2: 1 }),
      '將停車場燈設為開關 1：開、開關 2：開',
      'set 停車場燈 to Switch 1: On, Switch 2: On',
    ],
    [
      'says the level of a dimmer, which switches it on',
      set('調光燈', { Switch: 1, Brightness: 80 }),
      '將調光燈調到 80%',
      'set 調光燈 to 80%',
    ],
    [
      'says how warm an air conditioner is to make it',
      set('冷氣', { Switch: 1, TargetTemperature: 26 }),
      '開啟冷氣（26 °C）',
      'turn 冷氣 on (26 °C)',
    ],
    [
      'names the lights of a room',
      { RoomID: 1, Only: 'lights', Values: { On: 0 } } as EditedAction,
      '關閉大會議室的燈',
      'turn the lights in 大會議室 off',
    ],
  ])('%s', (_what, action, zh, en) => {
    const { result } = renderHook(() => useActionWords(facts), { wrapper })
    expect(formatPhrase(t, actionsOf([action], result.current))).toBe(language === 'zh-TW' ? zh : en)
  })

  it('shows the command to a device with one switch in one line', () => {
    const { result } = renderHook(() => useActionWords(facts), { wrapper })
    const lineOf = (action: EditedAction) => result.current.lineOf(action)
    expect([1, 0].map((Switch) => lineOf(set('插座', { Switch })))).toEqual(
      language === 'zh-TW' ? ['開啟插座', '關閉插座'] : ['Turn 插座 on', 'Turn 插座 off'],
    )
  })
})
