import { screen } from '@testing-library/react'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { setup } from '../../../../contract/setup/calls.ts'
import { home } from '../../../../contract/homes/home.ts'
import { HubBack } from '../../../../src/custom-views/device-panel/hub-panel.tsx'
import { loadNamespaces } from '../../../../src/lib/i18n/i18n.ts'
import { answers, rejectCall, server } from '../../../support/msw.ts'
import { aHome, prepareSession, openPage } from '../../support/page.tsx'

const Since = Date.parse('2026-01-05T00:00:00Z')
const hub = {
  ...{ HomeID: 'h1', ThingName: 'hub-1', DeviceName: '一樓', RoomID: 0 },
  ...{ Online: false, SeenAt: Since + 60_000 },
}
const open = (seenAt: number | null = hub.SeenAt) =>
  openPage(<HubBack hub={{ ...hub, SeenAt: seenAt }} />, '/', '/')

beforeAll(() => loadNamespaces(['devices', 'screens']))
beforeEach(() => {
  prepareSession()
  server.use(
    answers(home.operations.list, [aHome()]),
    answers(setup.getHubTrouble, { Since, Address: '192.168.1.20', Refused: null }),
  )
})

describe('the steps to reconnect a hub', () => {
  it('show its last address, that it was not rejected, and what to check in order', async () => {
    open()
    expect(await screen.findByText('192.168.1.20')).toBeTruthy()
    expect(screen.getByText(/這台伺服器沒有拒絕過此閘道器/)).toBeTruthy()
    expect(screen.getAllByRole('listitem').map((item) => item.querySelector('b')?.textContent)).toEqual([
      '電源：',
      '網路：',
      '時間：',
      '帳號與密鑰：',
    ])
  })

  it('show why and from which address it was last rejected', async () => {
    const Refused = { Reason: 'wrongPassword' as const, Count: 3, From: '10.0.0.9', Timestamp: Since }
    server.use(answers(setup.getHubTrouble, { Since, Address: null, Refused }))
    open(null)
    expect(await screen.findByText(/從 10\.0\.0\.9 以錯誤的密鑰登入 3 次/)).toBeTruthy()
    expect(screen.getByText(/啟動後，閘道器未曾登入/)).toBeTruthy()
    expect(screen.getByRole('heading', { name: '尚未連線：請檢查下列項目' })).toBeTruthy()
  })

  it('are shown even if no further details are known', async () => {
    server.use(rejectCall(setup.getHubTrouble, 'INTERNAL'))
    open()
    expect(await screen.findByRole('alert')).toBeTruthy()
    expect(screen.getAllByRole('listitem')).toHaveLength(4)
  })
})
