import { describe, expect, it } from 'vitest'
import { NOTIFICATION_KINDS } from '../../../contract/notifications/calls.ts'
import { sentenceOf, type NotificationContent } from '../../../contract/notifications/sentence.ts'
import { NOTIFICATION_SEVERITIES } from '../../../contract/notifications/settings.ts'
import { wordsOf } from '../../../gateway/features/notifications/render.ts'

const LANGUAGES = ['zh-TW', 'en-US'] as const
const AT = Date.UTC(2026, 0, 5, 13, 40)
const say = (told: NotificationContent) =>
  LANGUAGES.map((language) => sentenceOf(told, wordsOf(language, 'Asia/Taipei')))
const titles = (told: NotificationContent) => say(told).map(({ title }) => title)
const raised = (Values: NotificationContent['Values']): NotificationContent => ({
  Kind: 'alarmRaised',
  Severity: 'warning',
  Values,
})

const CHILLER = {
  kind: 'breach',
  subject: '冷氣主機',
  home: '總部',
  peripheralType: '509',
  field: 'AvgElectricCurrent',
  unit: 'A',
}

describe('the sentence of a notification', () => {
  it.each(NOTIFICATION_KINDS)('says %s in both languages, with any value missing', (Kind) => {
    for (const Severity of NOTIFICATION_SEVERITIES)
      for (const { title, body } of say({ Kind, Severity, Values: {} })) {
        expect(Kind === 'broadcast' || title !== '').toBe(true)
        expect(`${title} ${body}`).not.toMatch(/\{\{|undefined|NaN|notifications:|kinds\./)
      }
  })

  it('names a reading beyond its limit with unit and field', () => {
    const above = raised({ ...CHILLER, value: 52.345, limit: 50, logical: 'outside' })
    expect(say(above)).toEqual([
      { title: '警報：冷氣主機 電流 52.3 A，超過上限 50 A', body: '總部' },
      { title: 'Alarm: 冷氣主機 Current 52.3 A, above the limit of 50 A', body: '總部' },
    ])
    const below = raised({ ...CHILLER, value: 2, limit: 5, logical: 'outside' })
    expect(titles(below)).toEqual([
      '警報：冷氣主機 電流 2.0 A，低於下限 5 A',
      'Alarm: 冷氣主機 Current 2.0 A, below the limit of 5 A',
    ])
  })

  it('omits a limit that a reading no longer exceeds, before it clears', () => {
    expect(titles(raised({ ...CHILLER, value: 49, limit: 50, logical: '>' }))).toEqual([
      '警報：冷氣主機 電流曾超過上限 50 A，最近為 49.0 A',
      'Alarm: 冷氣主機 Current was above the limit of 50 A, last 49.0 A',
    ])
    expect(titles(raised({ ...CHILLER, value: 51, limit: 50, logical: '<=' }))).toEqual([
      '警報：冷氣主機 電流曾低於下限 50 A，最近為 51.0 A',
      'Alarm: 冷氣主機 Current was below the limit of 50 A, last 51.0 A',
    ])
  })

  it('says when a sum will cross its limit, and by which rule', () => {
    const ahead = raised({
      kind: 'ahead',
      subject: '每日上限',
      device: '總表',
      field: 'DailyKwh',
      unit: 'kWh',
      value: 480,
      limit: 500,
      logical: '>',
      crossesAt: AT,
    })
    expect(titles(ahead)).toEqual([
      '警報：每日上限，總表 今日用電量 480 kWh，依目前速度將在 1/5（一）21:40 超過 500 kWh',
      'Alarm: 每日上限, 總表 Energy today 480 kWh, will exceed 500 kWh at Jan 5, 21:40 at this pace',
    ])
  })

  it('names a state in words', () => {
    const smoke = {
      ...raised({ kind: 'state', subject: '偵煙器', peripheralType: '756', field: 'SmokeState', value: 2 }),
      Severity: 'critical' as const,
    }
    expect(titles(smoke)).toEqual(['緊急警報：偵煙器：偵測到煙霧', 'Critical alarm: 偵煙器: smoke detected'])
  })

  it('says since when a device or hub has not reported', () => {
    expect(titles(raised({ kind: 'silent', subject: '門磁', since: AT }))[0]).toBe(
      '警報：門磁自 1/5（一）21:40 起沒有回報',
    )
    expect(titles(raised({ kind: 'hubLost', subject: 'Roof', since: AT }))[1]).toBe(
      'Alarm: Hub Roof has been offline since Jan 5, 21:40',
    )
    const named = (subject: string) => titles(raised({ kind: 'hubLost', subject, since: AT }))
    expect(named('gateway 2')[1]).toBe('Alarm: gateway 2 has been offline since Jan 5, 21:40')
    expect(named('Hub 3')[1]).toBe('Alarm: Hub 3 has been offline since Jan 5, 21:40')
    expect(named('Hubert')[1]).toBe('Alarm: Hub Hubert has been offline since Jan 5, 21:40')
    expect(named('閘道器 2')[0]).toBe('警報：閘道器 2自 1/5（一）21:40 起離線')
    expect(named('屋頂')[0]).toBe('警報：閘道器屋頂自 1/5（一）21:40 起離線')
  })

  it('shows unknown values as unknown', () => {
    expect(titles(raised({ ...CHILLER, value: null, limit: 50, logical: '>' }))).toEqual([
      '警報：冷氣主機 電流沒有資料',
      'Alarm: No data for 冷氣主機 Current',
    ])
    expect(titles(raised({ subject: 'Newer thing', kind: 'somethingElse' }))[1]).toBe('Alarm: Newer thing')
  })

  it('keeps user text unchanged below the sentence, and isolates names', () => {
    const text = '<b>Call</b> {{count}} & [link](javascript:alert(1))'
    const [, english] = say(raised({ kind: 'silent', subject: '\u202eevil', since: AT, text }))
    expect(english?.body).toBe(text)
    expect(english?.title).toContain('\u2068')
    const [broadcast] = say({
      Kind: 'broadcast',
      Severity: 'info',
      Values: { title: '停電 <通知>', text: 'Line 1\n$t(notifications:unknown)' },
    })
    expect(broadcast).toEqual({ title: '停電 <通知>', body: 'Line 1\n$t(notifications:unknown)' })
  })

  it('uses the plural forms of the language', () => {
    const digest = (count: number): NotificationContent => ({
      Kind: 'digest',
      Severity: 'warning',
      Values: { count, critical: 0, warning: count, info: 0 },
    })
    expect(titles(digest(1))).toEqual(['1 則通知', '1 notification'])
    expect(titles(digest(3))).toEqual(['3 則通知', '3 notifications'])
  })
})
