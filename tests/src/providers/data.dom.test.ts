import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { resources, type ResourceName } from '../../../contract/index.ts'
import { department } from '../../../contract/people/department.ts'
import { peripheral } from '../../../contract/devices/peripheral.ts'
import { room } from '../../../contract/homes/room.ts'
import { home } from '../../../contract/homes/home.ts'
import { type User, user } from '../../../contract/people/user.ts'
import { accessControlProvider } from '../../../src/providers/refine-frame.tsx'
import type { AnyEndpoint } from '../../../contract/kernel/define-endpoint.ts'
import { employee } from '../../../contract/access-control/employee.ts'
import { callOf, listCallOf, pages } from '../../../src/providers/calls.ts'
import { dataProvider, idOf, keyOf } from '../../../src/providers/data.ts'
import { refineResources } from '../../../src/providers/refine-frame.tsx'
import { me } from '../../../src/data/session.ts'
import { aPeripheral } from '../../support/peripheral.ts'
import { plainRows, rowsOfRecords } from '../support/rows-of-records.ts'
import { answers, requests, owner, rejectCall, server, signInAs, subUser } from '../../support/msw.ts'

const departments = ['IT', '廠務', 'Sales'].map((Department, i) => ({ DepartmentID: `d${i}`, Department }))

const ming: User = {
  CognitoId: '11111111-1111-4111-8111-111111111111',
  Email: 'ming@example.com',
  FirstName: '小明',
  LastName: '王',
  nickname: '',
  DepartmentID: null,
  enabled: true,
  rank: 0,
  Permissions: [],
  HomeGrants: [],
  InvitedUntil: null,
  Version: 1,
}

/** All but the hubs, which are listed with the devices. */
const listed = (Object.keys(resources) as ResourceName[]).filter((name) => name !== 'thing')

beforeEach(() => {
  requests.length = 0
  signInAs(owner)
  me.set(owner)
})
afterEach(() => me.set(undefined))

describe('record IDs', () => {
  it('join all key fields, and are split again', () => {
    expect(idOf('room', { HomeID: 'h1', RoomID: 0 })).toBe('h1~0')
    expect(keyOf('room', 'h1~0')).toEqual({ HomeID: 'h1', RoomID: 0 })
  })

  it('keep an address with a tilde intact', () => {
    expect(keyOf('user', idOf('user', { Email: 'a~b@x.example' }))).toEqual({ Email: 'a~b@x.example' })
  })

  it.each(Object.keys(resources) as ResourceName[])('exist for %s', (name) => {
    const record = Object.fromEntries(
      resources[name].key.map((field) => [field, field === 'RoomID' ? 3 : 'x']),
    )
    expect(keyOf(name, idOf(name, record))).toEqual(record)
  })
})

describe('the data provider', () => {
  it('lists with search, sorting and pages', async () => {
    server.use(answers(department.operations.list, departments))
    const { data, total } = await dataProvider.getList({
      resource: 'department',
      filters: [{ field: 'Department', operator: 'contains', value: 's' }],
      sorters: [{ field: 'Department', order: 'desc' }],
      pagination: { currentPage: 1, pageSize: 1 },
    })
    expect(total).toBe(1)
    expect(data).toEqual([{ id: 'd2', DepartmentID: 'd2', Department: 'Sales' }])
  })

  it('takes the home of a list from meta, and sends no unknown parameters', async () => {
    server.use(answers(room.operations.list, []))
    await dataProvider.getList({ resource: 'room', meta: { HomeID: 'h1', other: 1 } })
    expect(requests[0]?.body).toEqual({ HomeID: 'h1' })
  })

  it.each(listed)('lists every %s that the gateway returns', async (name) => {
    const { rows } = rowsOfRecords[name] ?? plainRows(name)
    const endpoint = listCallOf(name)
    const whole = name === 'peripheral' ? { Things: [], Peripherals: rows, Statuses: [] } : rows
    const answer = pages(name) ? { Rows: rows, NextCursor: null, Total: rows.length } : whole
    server.use(answers(endpoint, endpoint.results.parse(answer) as never))
    // A call whose right depends on a field is called with one value of it.
    const filters = endpoint.accessBy
      ? [
          {
            field: endpoint.accessBy.field,
            operator: 'eq' as const,
            value: rows[0]?.[endpoint.accessBy.field],
          },
        ]
      : []
    const { data, total } = await dataProvider.getList({ resource: name, meta: { HomeID: 'h1' }, filters })
    expect(total).toBe(rows.length)
    expect(data).toMatchObject(rows.map((row) => ({ ...row, id: idOf(name, row) })))
  })

  it('lists homes by their own call', async () => {
    server.use(answers(home.operations.list, []))
    expect(await dataProvider.getList({ resource: 'home' })).toEqual({ data: [], total: 0 })
  })

  it('takes the devices from the call that returns hubs too', async () => {
    server.use(answers(peripheral.operations.list, { Things: [], Peripherals: [], Statuses: [] }))
    expect(await dataProvider.getList({ resource: 'peripheral', meta: { HomeID: 'h1' } })).toMatchObject({
      total: 0,
    })
  })

  it('reads one record, and reports a deleted one', async () => {
    server.use(answers(department.operations.list, departments))
    expect(await dataProvider.getOne({ resource: 'department', id: 'd1' })).toMatchObject({
      data: { Department: '廠務' },
    })
    await expect(dataProvider.getOne({ resource: 'department', id: 'gone' })).rejects.toMatchObject({
      statusCode: 2,
    })
  })

  it('takes one device from the call that returns its status too', async () => {
    const lamp = { ...aPeripheral({ PeripheralUID: 'p1', PeripheralType: '516' }), ModbusTable: null }
    server.use(answers(peripheral.operations.get, { Peripheral: lamp, Status: null }))
    const { data } = await dataProvider.getOne({ resource: 'peripheral', id: 'p1', meta: { HomeID: 'h1' } })
    expect(data).toEqual({ id: 'p1', ...lamp })
  })

  it('finds a person in the list, because the call for one uses another key', async () => {
    server.use(answers(user.operations.list, [ming]))
    const { data } = await dataProvider.getOne({ resource: 'user', id: ming.Email })
    expect(data).toEqual({ id: ming.Email, ...ming })
  })

  it('creates, updates by key and deletes by key', async () => {
    server.use(
      answers(room.operations.create, { HomeID: 'h1', RoomID: 5, RoomName: 'Lab' }),
      answers(room.operations.update, { HomeID: 'h1', RoomID: 5, RoomName: 'Labs' }),
      answers(room.operations.remove, { HomeID: 'h1', RoomID: 5 }),
    )
    const made = await dataProvider.create({ resource: 'room', variables: { HomeID: 'h1', RoomName: 'Lab' } })
    expect(made.data.id).toBe('h1~5')
    await dataProvider.update({ resource: 'room', id: 'h1~5', variables: { RoomName: 'Labs' } })
    await dataProvider.deleteOne({ resource: 'room', id: 'h1~5' })
    expect(requests.map(({ body }) => body)).toEqual([
      { HomeID: 'h1', RoomName: 'Lab' },
      { HomeID: 'h1', RoomID: 5, RoomName: 'Labs' },
      { HomeID: 'h1', RoomID: 5 },
    ])
  })

  it('takes only the home of a new record from meta', async () => {
    server.use(
      answers(room.operations.create, { HomeID: 'h1', RoomID: 5, RoomName: 'Lab' }),
      answers(department.operations.update, { DepartmentID: 'd1', Department: 'IT' }),
    )
    const meta = { HomeID: 'h1', RoomName: 'x', Department: 'x', DepartmentID: 'd9' }
    await dataProvider.create({ resource: 'room', variables: { RoomName: 'Lab' }, meta })
    await dataProvider.update({ resource: 'department', id: 'd1', variables: { Department: 'IT' }, meta })
    expect(requests.map(({ body }) => body)).toEqual([
      { HomeID: 'h1', RoomName: 'Lab' },
      { DepartmentID: 'd1', Department: 'IT' },
    ])
  })

  it("returns the rejected field to a form, in the person's words", async () => {
    server.use(rejectCall(room.operations.create, 'INVALID', { fields: { RoomName: 'required' } }))
    await expect(
      dataProvider.create({ resource: 'room', variables: { HomeID: 'h1', RoomName: 'x' } }),
    ).rejects.toMatchObject({
      message: '輸入的內容無法接受',
      errors: { RoomName: '請輸入名稱' },
    })
  })

  it('fails if a record has no such call', async () => {
    await expect(dataProvider.getList({ resource: 'thing' })).rejects.toThrow('thing cannot list')
  })
})

describe('a list paged by the gateway', () => {
  const person = (EmployeeID: string) => ({
    EmployeeID,
    EmployeeName: EmployeeID,
    Email: `${EmployeeID}@company.example`,
    CardNumber: null,
    DepartmentID: null,
    Department: null,
    Active: true,
    PhotoUrl: null,
    Version: 1,
  })
  const page = { Rows: [person('e1'), person('e2')], NextCursor: 'after e2', Total: 3 }
  const { list } = employee.operations
  const asked = () => requests.map(({ body }) => body)

  it('returns its rows, their number and the cursor of the next page', async () => {
    server.use(answers(list, page))
    const { data, total, ...rest } = await dataProvider.getList({ resource: 'employee' })
    expect(data.map(({ id }) => id)).toEqual(['e1', 'e2'])
    expect({ total, ...rest }).toEqual({ total: 3, cursor: { next: 'after e2' } })
    server.use(answers(list, { ...page, NextCursor: null }))
    expect(await dataProvider.getList({ resource: 'employee' })).toMatchObject({
      cursor: { next: undefined },
    })
  })

  it('sends filters and order, no parameters of the screen, and requests 50 rows first', async () => {
    server.use(answers(list, page))
    await dataProvider.getList({
      resource: 'employee',
      filters: [{ field: 'Active', operator: 'eq', value: true }],
      sorters: [{ field: 'Email', order: 'desc' }],
      pagination: { currentPage: 1, pageSize: 10 },
      meta: { Search: 'from the address', HomeID: 'h9' },
    })
    expect(asked()).toEqual([{ Active: true, Sort: 'Email', Descending: true, Limit: 50 }])
  })

  it('continues from a cursor with 500 rows', async () => {
    server.use(answers(list, page))
    const pagination = { currentPage: 'after e2' as unknown as number }
    await dataProvider.getList({ resource: 'employee', pagination })
    expect(asked()).toEqual([{ Cursor: 'after e2', Limit: 500 }])
  })

  it('rejects a filter that neither the call nor the record knows', async () => {
    const filters = [{ field: 'Shoe', operator: 'eq' as const, value: 42 }]
    await expect(dataProvider.getList({ resource: 'employee', filters })).rejects.toThrow(/Shoe/)
    await expect(dataProvider.getList({ resource: 'department', filters })).rejects.toThrow(/Shoe/)
    expect(requests).toEqual([])
  })

  it('works for people, whose single call uses another field', async () => {
    const [CognitoId, Email] = ['0b9f7d3e-1f7c-4a8e-9d55-0a3c1c6b0009', 'ming@company.example']
    const known = { CognitoId, Email, FirstName: '', LastName: '', nickname: '', DepartmentID: null, rank: 0 }
    const row = { ...known, enabled: true, InvitedUntil: null, Department: null, Rights: 0, Template: null }
    server.use(
      answers(callOf('user', 'page') as AnyEndpoint, { Rows: [row], NextCursor: null, Total: 1 }),
      answers(callOf('user', 'get') as AnyEndpoint, {
        ...known,
        enabled: true,
        Permissions: [],
        HomeGrants: [],
        InvitedUntil: null,
        Version: 1,
      }),
    )
    expect((await dataProvider.getList({ resource: 'user' })).data).toMatchObject([{ id: Email }])
    await dataProvider.getOne({ resource: 'user', id: CognitoId, meta: { key: { CognitoId } } })
    expect(asked().at(-1)).toEqual({ CognitoId })
  })
})

describe('the access-control provider', () => {
  it.each([
    ['list', 'Read'],
    ['show', 'Read'],
    ['create', 'Create'],
    ['edit', 'Update'],
    ['delete', 'Delete'],
  ] as const)('allows %s only with %s', async (action, operation) => {
    const ask = () => accessControlProvider.can({ resource: 'room', action })
    me.set(subUser([{ FeatureKey: 'room', OperationList: [operation] }]))
    expect(await ask()).toMatchObject({ can: true })
    me.set(subUser([{ FeatureKey: 'home', OperationList: [operation] }]))
    expect(await ask()).toMatchObject({ can: false })
  })

  it('allows the owner everything and an unknown user nothing', async () => {
    expect(await accessControlProvider.can({ resource: 'user', action: 'delete' })).toMatchObject({
      can: true,
    })
    me.set(undefined)
    expect(await accessControlProvider.can({ resource: 'user', action: 'list' })).toMatchObject({
      can: false,
    })
  })

  it('names the missing right', async () => {
    me.set(subUser())
    const { reason } = await accessControlProvider.can({ resource: 'department', action: 'create' })
    expect(reason).toContain('「使用者」的「新增」')
  })
})

describe("Refine's resources", () => {
  it('have a list page for every record except the hub, which is listed with its devices', () => {
    const without = refineResources.filter(({ list }) => list === undefined).map(({ name }) => name)
    expect(without).toEqual(['thing'])
    expect(refineResources.map(({ name }) => name).toSorted()).toEqual(Object.keys(resources).toSorted())
  })
})
