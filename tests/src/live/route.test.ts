import { describe, expect, it } from 'vitest'
import type { FeatureKey } from '../../../contract/kernel/permissions.ts'
import { route } from '../../../src/live/route.ts'
import { topicsFor } from '../../../src/live/subscriptions.ts'
import { owner, subUser } from '../../support/msw.ts'

const root = owner.RootCognitoId
const short = (topics: string[]) => topics.map((topic) => topic.replace(root, 'root'))

describe('a received change', () => {
  const told = (entity: string, message: object) =>
    route(`${root}/datachange/${entity}/update`, message)?.payload

  it('has its record, and the call that made it', () => {
    const Record = { HomeID: 'h1' }
    expect(told('metering', { Record, By: null, RequestID: 'r1' })).toEqual({
      change: { name: 'metering.update', record: Record },
      requestId: 'r1',
    })
  })

  it('has no call if the gateway made it itself', () => {
    const heard = told('quarantinedReading', { Record: { HomeID: 'h1' }, By: null, RequestID: null })
    expect(heard).toMatchObject({ requestId: undefined })
  })

  it('is unknown if its entity or its record is', () => {
    expect(told('elevator', { Record: { HomeID: 'h1' }, By: null, RequestID: null })).toBe('unknown')
    expect(told('metering', { Record: { HomeID: 7 }, By: null, RequestID: null })).toBe('unknown')
    expect(told('metering', {})).toBe('unknown')
  })
})

describe('a received alarm', () => {
  const readAlarm = (topic: string, payload: unknown) => {
    const event = route(topic, payload)
    return event?.channel === 'alarmOfDevice' || event?.channel === 'alarmOfRule'
      ? { ...event.payload, HomeID: event.params.homeId }
      : undefined
  }
  const news = {
    AlarmID: '6b1f7a52-6f0a-4f7b-9f0e-3a52b2a3c1d0',
    Severity: 'critical',
    News: 'raised',
    Timestamp: 1,
  }

  it('has its home, and is ignored on other topics or if invalid', () => {
    expect(readAlarm(`${root}/h1/alarm/rule`, news)).toEqual({ ...news, HomeID: 'h1' })
    expect(readAlarm(`${root}/h1/alarm/device`, news)).toMatchObject({ HomeID: 'h1' })
    expect(readAlarm(`${root}/h1/alarm/device`, { ...news, News: 'gone' })).toBeUndefined()
    expect(readAlarm(`${root}/h1/statusChange`, news)).toBeUndefined()
  })
})

describe('a message', () => {
  it('of the gateway about statuses and commands is passed on as it is, unless it is no object', () => {
    const payload = { Peripherals: [{ PeripheralUID: 'p1', Extra: null }] }
    expect(route(`${root}/h1/statusChange`, payload)).toEqual({
      channel: 'statusChange',
      params: { rootId: root, homeId: 'h1' },
      payload,
    })
    expect(route(`${root}/h1/control/response`, null)).toBeUndefined()
  })

  it('is ignored if it is invalid, or if its topic is unknown', () => {
    for (const topic of ['automation/run', 'hub/trial', 'ota/response', 'alarm/rule'])
      expect(route(`${root}/h1/${topic}`, { nonsense: true })).toBeUndefined()
    for (const topic of [`${root}/news/gap`, `${root}/user/u1/notification`, `${root}/user/u1/response`])
      expect(route(topic, { nonsense: true })).toBeUndefined()
    expect(route(`${root}/h1/elevator`, {})).toBeUndefined()
  })

  it('about permissions needs no particular content', () => {
    const topic = `${root}/user/u1/permission`
    expect(route(topic, { Deleted: true })?.payload).toEqual({ Deleted: true })
    expect(route(topic, 'changed')?.payload).toEqual({})
  })
})

describe('subscriptions', () => {
  it("always include the user's permission and settings, and what every screen shows", () => {
    const person = subUser()
    expect(short(topicsFor(person, ['h1'], ['t1']))).toEqual([
      `root/user/${person.CognitoId}/permission`,
      `root/user/${person.CognitoId}/response`,
      `root/user/${person.CognitoId}/notification`,
      'root/news/gap',
      'root/datachange/automation/+',
      'root/datachange/company/+',
    ])
  })

  it('include homes with any right on their features, and rooms with one other than meeting rooms', () => {
    const heard = (feature: FeatureKey) =>
      short(topicsFor(subUser([{ FeatureKey: feature, OperationList: ['Create'] }]), ['h1'], ['t1']))
        .filter((topic) => /\/(home|room)\//.test(topic))
        .map((topic) => topic.split('/')[2])
    expect(heard('user')).toEqual([])
    expect(heard('conference_room')).toEqual(['home'])
    expect(heard('electricity')).toEqual(['home', 'room'])
  })

  it('include devices and hubs with Read on device, but no command answers', () => {
    const person = subUser([{ FeatureKey: 'device', OperationList: ['Read'] }])
    const topics = short(topicsFor(person, ['h1'], ['t1']))
    expect(topics).toContain('root/h1/statusChange')
    expect(topics).toContain('root/h1/automation/run')
    expect(topics).toContain('root/datachange/peripheral/+')
    for (const shadow of ['info', 'registration'])
      for (const verb of ['get/accepted', 'update/accepted'])
        expect(topics).toContain(`$aws/things/t1/shadow/name/${shadow}/${verb}`)
    expect(topics).not.toContain('root/h1/control/response')
    expect(topics).not.toContain('root/datachange/discovery/+')
  })

  it('include command answers with Control on device_control', () => {
    const person = subUser([{ FeatureKey: 'device_control', OperationList: ['Control'] }])
    expect(short(topicsFor(person, ['h1'], []))).toContain('root/h1/control/response')
  })

  it('include device alarms with Read on device, and rule alarms with Read on power_meter_alarm', () => {
    const heard = (feature: FeatureKey) =>
      short(topicsFor(subUser([{ FeatureKey: feature, OperationList: ['Read'] }]), ['h1'], [])).filter(
        (topic) => topic.includes('/alarm'),
      )
    expect(heard('device')).toEqual(['root/datachange/alarm/+', 'root/h1/alarm/device'])
    expect(heard('power_meter_alarm')).toContain('root/h1/alarm/rule')
    expect(heard('room')).toEqual([])
  })

  it('include every visible home', () => {
    const topics = short(topicsFor(owner, ['h1', 'h2'], []))
    expect(topics.filter((topic) => topic.endsWith('statusChange'))).toEqual([
      'root/h1/statusChange',
      'root/h2/statusChange',
    ])
  })
})
