import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { FEATURES } from '../../../contract/features.ts'
import type { ResourceName } from '../../../contract/index.ts'
import { home } from '../../../contract/resources/home.ts'
import { DEFAULT_PERSONAL_CONFIG, personal } from '../../../contract/procedures/personal.ts'
import { department } from '../../../contract/resources/department.ts'
import { me } from '../../../src/data/session.ts'
import { loadNamespaces, t } from '../../../src/lib/i18n/i18n.ts'
import { listCallOf, pages } from '../../../src/providers/calls.ts'
import { records } from '../../../src/routes.tsx'
import { answers, refuses, server, subUser } from '../../support/msw.ts'
import { modbusRow } from '../../support/modbus-rows.ts'
import { arrive, sentTo } from '../support/page.tsx'
import { openRefinePages } from '../support/refine-pages.tsx'

vi.setConfig({ testTimeout: 120_000 })

type Row = Record<string, unknown>
const Version = 1
/** Two records of each kind, and what they are called on the screen. */
const kinds: Partial<Record<ResourceName, { rows: Row[]; names: [string, string] }>> = {
  home: {
    rows: [
      { HomeID: 'h1', HomeName: '甲廠', TimeZone: 'Asia/Taipei', ThreadNetworkKey: null, RoomList: [] },
      { HomeID: 'h2', HomeName: '乙廠', TimeZone: 'Asia/Taipei', ThreadNetworkKey: null, RoomList: [] },
    ],
    names: ['甲廠', '乙廠'],
  },
  room: {
    rows: [
      { HomeID: 'h1', RoomID: 1, RoomName: '機房', PeripheralList: [], ThingNameList: [] },
      { HomeID: 'h1', RoomID: 2, RoomName: '茶水間', PeripheralList: [], ThingNameList: [] },
    ],
    names: ['機房', '茶水間'],
  },
  department: {
    rows: [
      { DepartmentID: 'd1', Department: '廠務' },
      { DepartmentID: 'd2', Department: '資訊' },
    ],
    names: ['廠務', '資訊'],
  },
  modbusTable: {
    rows: ['電表', '水表'].map((TableName, i) => ({
      ModbusTableID: `t${i}`,
      TableName,
      Manufacturer: '',
      Model: '',
      Note: '',
      Rows: [modbusRow({ Key: 'a', Label: '電壓' })],
      Version,
    })),
    names: ['電表', '水表'],
  },
  conferenceRoom: {
    rows: ['大會議室', '小會議室'].map((ConferenceRoomName, i) => ({
      ConferenceRoomID: `r${i}`,
      ConferenceRoomName,
      Capacity: 8,
      HomeID: null,
      Equipment: '',
      Active: true,
      ReleaseAfter: 0,
      TimeZone: 'Asia/Taipei',
      Version,
    })),
    names: ['大會議室', '小會議室'],
  },
  scanner: {
    rows: ['大門', '側門'].map((ScannerName, i) => ({
      ThingName: `s${i}`,
      ScannerName,
      HomeID: 'h1',
      Direction: 'both',
      AllEmployees: true,
      AllowVisitors: true,
      Online: true,
      SeenAt: 0,
      Assigned: 0,
      Version,
    })),
    names: ['大門', '側門'],
  },
  employee: {
    rows: ['王大明', '李小華'].map((EmployeeName, i) => ({
      EmployeeID: `e${i}`,
      EmployeeName,
      Email: `e${i}@company.example`,
      CardNumber: null,
      DepartmentID: null,
      Department: null,
      Active: true,
      PhotoUrl: null,
      Version,
    })),
    names: ['王大明', '李小華'],
  },
  visitor: {
    rows: ['周先生', '吳小姐'].map((VisitorName, i) => ({
      VisitorID: `v${i}`,
      VisitorName,
      Company: '',
      Email: `v${i}@guest.example`,
      Phone: '0911222333',
      Ext: '',
      HostEmployeeID: null,
      HostName: null,
      Purpose: '',
      ValidFrom: 0,
      ValidUntil: 1,
      CheckedInAt: null,
      AwayAt: null,
      CheckedOutAt: null,
      RevokedAt: null,
      AnonymisedAt: null,
      Version,
    })),
    names: ['周先生', '吳小姐'],
  },
  user: {
    rows: ['陳大文', '林小美'].map((LastName, i) => ({
      CognitoId: `0b9f7d3e-1f7c-4a8e-9d55-0a3c1c6b00${i}0`,
      Email: `u${i}@company.example`,
      FirstName: '',
      LastName,
      nickname: '',
      DepartmentID: null,
      Department: null,
      enabled: true,
      rank: 0,
      Rights: 0,
    })),
    names: ['陳大文', '林小美'],
  },
}
const every = Object.keys(records) as ResourceName[]
const kindOf = (name: ResourceName) => kinds[name] as NonNullable<(typeof kinds)[ResourceName]>

/** The gateway answers these rows, in pages where it pages. */
const listIs = (name: ResourceName, rows: Row[]) =>
  server.use(
    answers(
      listCallOf(name),
      (pages(name) ? { Rows: rows, NextCursor: null, Total: rows.length } : rows) as never,
    ),
  )

async function open(name: ResourceName, search = '') {
  const route = records[name] as NonNullable<(typeof records)[ResourceName]>
  const { List } = (await route.load()).default
  return openRefinePages([{ path: '/list/:HomeID', element: <List /> }], `/list/h1${search}`)
}

beforeEach(async () => {
  await loadNamespaces(['people', 'access', 'bookings', 'modbus'])
  arrive()
  server.use(
    answers(home.operations.list, []),
    answers(personal.getPersonalConfig, DEFAULT_PERSONAL_CONFIG),
    answers(department.operations.list, []),
  )
})

describe.each(every)('the list of %s', (name) => {
  it('shows its rows and counts them', async () => {
    listIs(name, kindOf(name).rows)
    await open(name)
    for (const each of kindOf(name).names) expect(await screen.findByText(each)).toBeTruthy()
    expect(screen.getByText(t('screens:list.count', { count: 2 }))).toBeTruthy()
    expect(within(screen.getByRole('table')).getAllByRole('row')).toHaveLength(3)
  })

  it('is searched by the address, here or by the gateway', async () => {
    const [first, second] = kindOf(name).names
    listIs(name, kindOf(name).rows)
    await open(name, `?q=${encodeURIComponent(first)}`)
    expect(await screen.findByText(first)).toBeTruthy()
    const isAsked = sentTo(listCallOf(name)).some((input) => (input as { Search?: string }).Search === first)
    expect(isAsked || screen.queryByText(second) === null).toBe(true)
    expect(isAsked).toBe(pages(name))
  })

  it('is sorted by a click on a heading, which the address keeps', async () => {
    listIs(name, kindOf(name).rows)
    const { user, address } = await open(name)
    await screen.findByText(kindOf(name).names[0])
    const [heading] = within(screen.getByRole('table')).getAllByRole('columnheader')
    const head = heading?.querySelector('input')
      ? within(screen.getByRole('table')).getAllByRole('columnheader')[1]
      : heading
    await user.click(within(head as HTMLElement).getByRole('button'))
    await waitFor(() => expect(address()).toMatch(/sort=/))
    await waitFor(() => expect(head?.getAttribute('aria-sort')).toMatch(/ascending|descending/))
  })

  it('says why it is empty', async () => {
    listIs(name, [])
    await open(name)
    await waitFor(() => expect(document.querySelector('.ant-empty-description')?.textContent).toBeTruthy())
    expect(screen.queryByRole('table')).toBeNull()
  })

  it('says why it could not be loaded, and loads on another try', async () => {
    server.use(refuses(listCallOf(name), 'INTERNAL'))
    const { user } = await open(name)
    const retry = await screen.findByRole('button', { name: /重\s*試/ })
    listIs(name, kindOf(name).rows)
    await user.click(retry)
    expect(await screen.findByText(kindOf(name).names[0])).toBeTruthy()
  })

  it('offers nothing that the person may not do', async () => {
    me.set(subUser(FEATURES.map((FeatureKey) => ({ FeatureKey, OperationList: ['Read'] }))))
    listIs(name, kindOf(name).rows)
    await open(name)
    await screen.findByText(kindOf(name).names[0])
    expect(screen.queryByRole('checkbox')).toBeNull()
    expect(screen.queryByRole('button', { name: /^(刪除|編輯)「/ })).toBeNull()
    expect(document.querySelector('.ant-btn-primary')).toBeNull()
  })
})
