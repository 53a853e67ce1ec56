import { screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { runs } from '../../../../contract/automation/run-calls.ts'
import { automation } from '../../../../contract/automation/automation.ts'
import { LazyRulesWarning } from '../../../../src/domain/automation/parts/lazy-users-warning.tsx'
import { RemoveHub } from '../../../../src/custom-views/device-panel/hub-panel.tsx'
import { answers, rejectCall, server, subUser } from '../../../support/msw.ts'
import { aPeripheral } from '../../../support/peripheral.ts'
import { arriveInActingHome } from '../../support/acting-home.ts'
import { openPage } from '../../support/page.tsx'
import { nothingElse, rulesAre, schedule, smartLink } from '../../resources/automation/rules.ts'
const used = (ID: string, Name: string) =>
  ({ Kind: 'automation', HomeID: 'h1', ID, Name, AutomationType: 1, Role: 'owner' }) as const
const dialog = async () => within(await screen.findByRole('dialog'))
const listed = async () => (await (await dialog()).findAllByRole('listitem')).map((one) => one.textContent)

beforeEach(async () => {
  await arriveInActingHome()
  nothingElse()
})

describe('before a hub is removed', () => {
  const hub = { HomeID: 'h1', ThingName: 'hub', DeviceName: '一樓閘道器', RoomID: 0 } as never
  const devices = ['a', 'b'].map((PeripheralUID) => aPeripheral({ PeripheralUID, PeripheralType: '516' }))

  it('names what its devices affect, except through a group', async () => {
    const through = { ...used('c', '群組排程'), Via: { Kind: 'group' as const, ID: 'g', Name: '走廊' } }
    server.use(answers(runs.listUsedBy, { Rows: [used('a', '上班開燈'), through], Hidden: 0 }))
    const { user: hand } = openPage(<RemoveHub hub={hub} devices={devices} removed={() => {}} />, '/', '/')
    await hand.click(screen.getByRole('button', { name: '移除閘道器' }))
    expect(await (await dialog()).findByText(/下列項目使用此閘道器的裝置/)).toBeTruthy()
    expect(await listed()).toEqual(['自動化：上班開燈'])
  })

  it('says that it could not be determined', async () => {
    server.use(rejectCall(runs.listUsedBy, 'INTERNAL'))
    const { user: hand } = openPage(<RemoveHub hub={hub} devices={devices} removed={() => {}} />, '/', '/')
    await hand.click(screen.getByRole('button', { name: '移除閘道器' }))
    expect(await (await dialog()).findByText('無法得知哪些設定使用此項目。')).toBeTruthy()
  })
})

describe('before a meeting room or a virtual meter is deleted', () => {
  const booking = { ConferenceRoomID: 'c1', When: 'start', Minutes: 0 } as const
  const sum = { PeripheralUID: 'virtual-tenants', Field: 'DailyKwh', Status: 9, Logical: '>' } as const

  it('names the schedules that follow its bookings', async () => {
    rulesAre(
      schedule({ AutomationID: 'x', AutomationName: '開會開燈', Schedule: undefined, Booking: booking }),
      schedule(),
    )
    openPage(<LazyRulesWarning reference={{ ConferenceRoomIDs: ['c1'] }} />, '/', '/')
    expect(await screen.findByText(/下列排程依會議室的預約執行/)).toBeTruthy()
    expect(screen.getAllByRole('listitem').map((one) => one.textContent)).toEqual(['自動化：開會開燈'])
  })

  it('names the automations that watch it', async () => {
    rulesAre(
      smartLink(),
      smartLink({
        AutomationID: 'y',
        AutomationName: '用電過高',
        Conditions: { PeripheralUIDs: [sum] } as never,
      }),
    )
    openPage(<LazyRulesWarning reference={{ HomeID: 'h1', VirtualMeterID: 'virtual-tenants' }} />, '/', '/')
    expect(await screen.findByText(/下列自動化使用此虛擬電表/)).toBeTruthy()
    expect(screen.getAllByRole('listitem').map((one) => one.textContent)).toEqual(['自動化：用電過高'])
  })

  it('says that the effects are unknown without the right to see them', async () => {
    await arriveInActingHome(subUser([{ FeatureKey: 'conference_room', OperationList: ['Read', 'Delete'] }]))
    server.use(answers(automation.operations.list, []))
    openPage(<LazyRulesWarning reference={{ ConferenceRoomIDs: ['c1'] }} />, '/', '/')
    expect(await screen.findByText('無法得知哪些設定使用此項目。')).toBeTruthy()
  })
})
