import { describe, expect, it } from 'vitest'
import { bills } from '../../../contract/procedures/bills.ts'
import { meterCorrections } from '../../../contract/procedures/meter-corrections.ts'
import { meterData } from '../../../contract/procedures/meter-data.ts'
import { bookings } from '../../../contract/procedures/bookings.ts'
import { conferenceRoom } from '../../../contract/resources/conference-room.ts'
import { keptByEvents, listsOf, readChange, topicsFor } from '../../../src/live/changes.ts'
import { owner, subUser } from '../../support/msw.ts'

const root = owner.RootCognitoId
const short = (topics: string[]) => topics.map((topic) => topic.replace(root, 'root'))

describe('changes of meters', () => {
  const told = (entity: string) =>
    readChange(`${root}/datachange/${entity}/update`, { Record: { HomeID: 'h1' }, By: null })

  it('are asked for again with all that follows from them', () => {
    expect(told('metering')).toEqual({ name: 'metering.update', record: { HomeID: 'h1' } })
    expect(listsOf('metering')).toEqual(
      expect.arrayContaining([
        meterData.getEnergySeries,
        bills.getBill,
        meterCorrections.listMeterCorrection,
        meterCorrections.listQuarantinedReading,
      ]),
    )
  })

  it('make only the list of withheld readings old where one waits', () => {
    expect(told('quarantinedReading')).toMatchObject({ name: 'quarantinedReading.update' })
    expect(listsOf('quarantinedReading')).toEqual([meterCorrections.listQuarantinedReading])
  })
})

describe('bookings', () => {
  it('and their rooms are asked for again when the channel stands: a time that looks free may be taken meanwhile', () => {
    expect(keptByEvents).toEqual(
      expect.arrayContaining([
        bookings.getByStartTimestamp,
        bookings.getByEmail,
        bookings.availableSlots,
        conferenceRoom.operations.list,
      ]),
    )
  })
})

describe('subscriptions', () => {
  it('always hears of its own permission, its own settings, and what every screen draws', () => {
    const person = subUser()
    expect(short(topicsFor(person, ['h1'], ['t1']))).toEqual([
      `root/user/${person.CognitoId}/permission`,
      `root/user/${person.CognitoId}/response`,
      'root/datachange/home/+',
      'root/datachange/room/+',
      'root/datachange/company/+',
    ])
  })

  it('hears devices and their hubs with Read on device, and no command answers', () => {
    const person = subUser([{ FeatureKey: 'device', OperationList: ['Read'] }])
    const topics = short(topicsFor(person, ['h1'], ['t1']))
    expect(topics).toContain('root/h1/statusChange')
    expect(topics).toContain('root/datachange/peripheral/+')
    expect(topics).toContain('$aws/things/t1/shadow/name/info/update/accepted')
    expect(topics).not.toContain('root/h1/control/response')
    expect(topics).not.toContain('root/datachange/discovery/+')
  })

  it('hears command answers with Control on device_control', () => {
    const person = subUser([{ FeatureKey: 'device_control', OperationList: ['Control'] }])
    expect(short(topicsFor(person, ['h1'], []))).toContain('root/h1/control/response')
  })

  it('hears every home that is shown', () => {
    const topics = short(topicsFor(owner, ['h1', 'h2'], []))
    expect(topics.filter((topic) => topic.endsWith('statusChange'))).toEqual([
      'root/h1/statusChange',
      'root/h2/statusChange',
    ])
  })
})
