import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ComponentType } from 'react'
import { beforeEach, expect, it } from 'vitest'
import type { AnyEndpoint } from '../../../contract/kernel/define-endpoint.ts'
import { accessControl } from '../../../contract/access-control/calls.ts'
import { DEFAULT_PERSONAL_CONFIG, personal } from '../../../contract/people/personal-calls.ts'
import { conferenceRoom } from '../../../contract/bookings/conference-room.ts'
import { department } from '../../../contract/people/department.ts'
import { employee, type EmployeeRow } from '../../../contract/access-control/employee.ts'
import { home } from '../../../contract/homes/home.ts'
import { modbusTable } from '../../../contract/devices/modbus/modbus-table.ts'
import { scanner } from '../../../contract/access-control/scanner.ts'
import { visitor, type VisitorRow } from '../../../contract/access-control/visitor.ts'
import { loadNamespaces } from '../../../src/lib/i18n/i18n.ts'
import conferenceRooms from '../../../src/resources/conference-room/record.tsx'
import employees from '../../../src/resources/employee/record.tsx'
import homes from '../../../src/resources/home/record.tsx'
import modbusTables from '../../../src/resources/modbus-table/record.tsx'
import scanners from '../../../src/resources/scanner/record.tsx'
import visitors from '../../../src/resources/visitor/record.tsx'
import { answers, rejectCall, server } from '../../support/msw.ts'
import { modbusRow } from '../../support/modbus-rows.ts'
import { prepareSession, sentTo } from '../support/page.tsx'
import { openRefinePages } from '../support/refine-pages.tsx'
import { aConferenceRoom } from '../../support/a-conference-room.ts'
import { pressInRowMenu } from '../../support/row-menu.ts'
const ming: EmployeeRow = {
  EmployeeID: 'e1',
  EmployeeName: '王大明',
  Email: 'ming@company.example',
  CardNumber: null,
  DepartmentID: null,
  Department: null,
  Active: true,
  PhotoUrl: null,
  Version: 1,
}
const guest: VisitorRow = {
  VisitorID: 'v1',
  VisitorName: '周大為',
  Company: '宏達機電',
  Email: 'guest@example.com',
  Phone: '0911222333',
  Ext: '',
  HostEmployeeID: null,
  HostName: null,
  Purpose: '',
  ValidFrom: Date.now() - 3_600_000,
  ValidUntil: Date.now() + 3_600_000,
  CheckedInAt: null,
  AwayAt: null,
  CheckedOutAt: null,
  RevokedAt: null,
  AnonymisedAt: null,
  Version: 1,
}
const door = {
  ThingName: 's1',
  ScannerName: '大門',
  HomeID: 'h1',
  Direction: 'both' as const,
  AllEmployees: true,
  AllowVisitors: true,
  Online: true,
  SeenAt: 0,
  Assigned: 0,
  Version: 1,
}
const room = aConferenceRoom({ ConferenceRoomID: 'r1', ConferenceRoomName: '大會議室' })
const table = {
  ModbusTableID: 't1',
  TableName: '電表',
  Manufacturer: '',
  Model: '',
  Note: '',
  Rows: [modbusRow({ Key: 'a', Label: '電壓' })],
  Version: 1,
}

beforeEach(async () => {
  await loadNamespaces(['access', 'bookings', 'modbus'])
  prepareSession()
  server.use(
    answers(home.operations.list, []),
    answers(personal.getPersonalConfig, DEFAULT_PERSONAL_CONFIG),
    answers(department.operations.list, []),
    answers(accessControl.searchHost, []),
    answers(employee.operations.get, ming),
    answers(visitor.operations.get, guest),
    answers(scanner.operations.list, [door]),
    answers(conferenceRoom.operations.list, [room]),
    answers(modbusTable.operations.list, [table]),
  )
})

const open = (Screen: ComponentType, path: string, address: string) =>
  openRefinePages(
    [
      { path, element: <Screen /> },
      { path: '*', element: <h1>elsewhere</h1> },
    ],
    address,
  )
// A sorted column may have the same name as the field.
const field = { selector: 'input' }
const enter = async (label: RegExp, value: string) =>
  fireEvent.change(await screen.findByLabelText(label, field), { target: { value } })
const save = () => fireEvent.click(screen.getByText(/^儲\s*存$/))
const old = { fields: { Version: 'changed' } }

interface Case {
  Screen: ComponentType
  path: string
  address: string
  /** Opens the form if the screen does not show it. */
  begin?: () => Promise<unknown>
  label: RegExp
  update: AnyEndpoint
  /** Handler that returns the record saved by another user. */
  theirs: () => Parameters<typeof server.use>[0]
  said: string
  /** Input that the form sends when the user keeps their own value. */
  kept: object
}

const cases: Record<string, Case> = {
  employee: {
    Screen: employees.Edit,
    path: '/EmployeeEdit/:employeeID',
    address: '/EmployeeEdit/e1',
    label: /姓名/,
    update: employee.operations.update,
    theirs: () => answers(employee.operations.get, { ...ming, CardNumber: '04A1', Version: 2 }),
    said: '卡號–04A1',
    kept: { EmployeeName: 'mine', CardNumber: null, Version: 2 },
  },
  visitor: {
    Screen: visitors.Edit,
    path: '/VisitorEdit/:visitorID',
    address: '/VisitorEdit/v1',
    label: /姓名/,
    update: visitor.operations.update,
    theirs: () => answers(visitor.operations.get, { ...guest, Company: '別家', Version: 2 }),
    said: '公司宏達機電別家',
    kept: { VisitorName: 'mine', Company: '宏達機電', Version: 2 },
  },
  scanner: {
    Screen: scanners.Edit,
    path: '/ScannerEdit/:ThingName',
    address: '/ScannerEdit/s1',
    label: /掃描器名稱/,
    update: scanner.operations.update,
    theirs: () => answers(scanner.operations.list, [{ ...door, AllowVisitors: false, Version: 2 }]),
    said: '訪客可通行可否',
    kept: { ScannerName: 'mine', AllowVisitors: true, Version: 2 },
  },
  'meeting room': {
    Screen: conferenceRooms.List,
    path: '/rooms',
    address: '/rooms',
    begin: () => pressInRowMenu(userEvent.setup(), '大會議室', '編輯「大會議室」'),
    label: /^名稱|會議室名稱/,
    update: conferenceRoom.operations.update,
    theirs: () => answers(conferenceRoom.operations.list, [{ ...room, Capacity: 20, Version: 2 }]),
    said: '820',
    kept: { ConferenceRoomName: 'mine', Capacity: 8, Version: 2 },
  },
  'Modbus table': {
    Screen: modbusTables.Edit,
    path: '/ModbusTable/:ModbusTableID',
    address: '/ModbusTable/t1',
    label: /名稱/,
    update: modbusTable.operations.update,
    theirs: () =>
      answers(modbusTable.operations.list, [
        { ...table, Rows: [...table.Rows, modbusRow({ Key: 'b', Label: '電流', Address: 10 })], Version: 2 },
      ]),
    said: '暫存器–電流',
    kept: { TableName: 'mine', Rows: table.Rows, Version: 2 },
  },
}

/** Saves after another user has saved; returns the conflict message. */
async function meet({ Screen, path, address, begin, label, update, theirs }: Case) {
  open(Screen, path, address)
  await begin?.()
  await enter(label, 'mine')
  server.use(rejectCall(update, 'CONFLICT', old), theirs())
  save()
  const said = await screen.findByText('其他人剛修改過這筆資料')
  expect(sentTo(update)).toEqual([expect.objectContaining({ Version: 1 })])
  return said.closest<HTMLElement>('[role=alert]') as HTMLElement
}

it.each(Object.entries(cases))('%s: shows a concurrent change and can adopt it', async (_, one) => {
  const alert = await meet(one)
  expect(alert.textContent).toContain(one.said)
  expect(screen.getByText(/^儲\s*存$/).closest('button')?.disabled).toBe(true)
  fireEvent.click(within(alert).getByText('採用對方的內容'))
  await waitFor(() => expect(screen.queryByText('其他人剛修改過這筆資料')).toBeNull())
  expect((screen.getByLabelText(one.label, field) as HTMLInputElement).value).not.toBe('mine')
  expect(sentTo(one.update)).toHaveLength(1)
})

it.each(Object.entries(cases))('%s: overwrites the shown version only after confirmation', async (_, one) => {
  const alert = await meet(one)
  fireEvent.click(within(alert).getByText(/保留我的內容/))
  await waitFor(() => expect(screen.queryByText('其他人剛修改過這筆資料')).toBeNull())
  save()
  await waitFor(() => expect(sentTo(one.update)).toHaveLength(2))
  expect(sentTo(one.update)[1]).toMatchObject(one.kept)
})

it('home: does not send an untouched field, which may have changed', async () => {
  const office = {
    HomeID: 'h1',
    HomeName: '辦公室',
    TimeZone: 'Asia/Taipei',
    ThreadNetworkKey: null,
    Latitude: null,
    Longitude: null,
    RoomList: [],
  }
  server.use(answers(home.operations.list, [office]), answers(home.operations.update, office))
  open(homes.List, '/HomeList', '/HomeList')
  await pressInRowMenu(userEvent.setup(), '辦公室', '編輯「辦公室」')
  await enter(/名稱/, '總部')
  save()
  await waitFor(() =>
    expect(sentTo(home.operations.update)).toEqual([
      { HomeID: 'h1', HomeName: '總部', Seen: { HomeName: '辦公室' } },
    ]),
  )
})

it('never treats a required field as optional, and sends no emptied one', async () => {
  open(employees.Edit, '/EmployeeEdit/:employeeID', '/EmployeeEdit/e1')
  await enter(/^姓名$/, '')
  expect(screen.getByText('卡號').parentElement?.textContent).toContain('選填')
  save()
  expect(await screen.findByText('請輸入名稱')).toBeTruthy()
  expect(sentTo(employee.operations.update)).toEqual([])
})
