import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { ERRORS } from '../../../../contract/kernel/errors.ts'
import { sql } from '../../../../gateway/kernel/db.ts'
import { type Caller, rights, startWorld, type World } from '../../../support/world.ts'
import { PATIENT } from '../../../support/patient.ts'

const HOUR = 3_600_000
let world: World
let root: Caller
beforeAll(async () => {
  world = await startWorld()
  root = await world.signUp()
})
afterAll(() => world.close())

const visit = (changes: object = {}) => ({
  VisitorName: '王小明',
  Email: 'Ming@Example.com',
  Phone: '0911-222-333',
  ValidFrom: world.clock.now(),
  ValidUntil: world.clock.now() + 8 * HOUR,
  ...changes,
})
const register = async (changes: object = {}) => (await root.post('/RegisterVisitor', visit(changes))).results
const hire = async (EmployeeName: string, Email: string, changes: object = {}) =>
  (await root.post('/CreateEmployee', { EmployeeName, Email, ...changes })).results

describe('Visitors', () => {
  it('are registered with a host, published by key only, and emailed their pass', async () => {
    const host = await hire('林主任', 'host@example.com')
    const made = await register({ HostEmployeeID: host.EmployeeID, Company: '台灣電機', Purpose: '驗收' })
    expect(made).toMatchObject({ Email: 'ming@example.com', Phone: '0911222333', HostName: '林主任' })
    await vi.waitFor(() => expect(world.mails).toHaveLength(1), PATIENT)
    const mail = world.mails.at(-1)
    expect(mail).toMatchObject({ to: 'ming@example.com', subject: expect.stringContaining('訪客通行證') })
    const { results } = await root.post('/GetVisitorPass', { VisitorID: made.VisitorID })
    expect(mail?.text).toContain(results.Token)
    expect(mail?.html).toContain('<table')
    const told = world.events.flatMap(({ name, event }) => (name === 'dataChange' ? [event] : []))
    expect(told.at(-1)).toMatchObject({ name: 'visitor.add', record: { VisitorID: made.VisitorID } })
    expect(JSON.stringify(told)).not.toContain('王小明')
  })

  it.each(['0911 222 333', '０９１１－２２２－３３３', '(09)11-222-333', '+886 911-222-333'])(
    'keep the digits of %s',
    async (Phone) => {
      expect((await register({ Phone })).Phone).toBe('0911222333')
    },
  )

  it.each([
    ['+81 90-1234-5678', '+819012345678'],
    ['＋１ (415) 555-2671', '+14155552671'],
  ])('from other countries keep the country code of %s', async (Phone, stored) => {
    expect((await register({ Phone })).Phone).toBe(stored)
  })

  it.each(['0911-222-33', '+88691122233', '+0911222333', '+1234567890123456', '1911222333', 'abc', ''])(
    'with the phone %j are rejected',
    async (Phone) => {
      const { status } = await root.post('/RegisterVisitor', visit({ Phone }))
      expect(status).toMatchObject({ code: ERRORS.INVALID.code, fields: { Phone: 'phone' } })
    },
  )

  it.each(['Ángel Ñuñez', 'محمد علي', '田中 さくら', "O'Brien-Smith", '林👩‍🔬'])(
    'can have the name %s',
    async (name) => {
      const { VisitorID } = await register({ VisitorName: name })
      expect((await root.post('/GetVisitor', { VisitorID })).results.VisitorName).toBe(name)
    },
  )

  it('need a future window of at most a year that ends after it begins', async () => {
    const now = world.clock.now()
    for (const [window, reason] of [
      [{ ValidFrom: now + 2, ValidUntil: now + 1 }, 'dateOrder'],
      [{ ValidFrom: now - 2, ValidUntil: now - 1 }, 'tooSmall'],
      [{ ValidFrom: now, ValidUntil: now + 400 * 24 * HOUR }, 'tooBig'],
    ] as const)
      expect((await root.post('/RegisterVisitor', visit(window))).status).toMatchObject({
        code: ERRORS.INVALID.code,
        fields: { ValidUntil: reason },
      })
    const { VisitorID, ValidFrom } = await register()
    expect((await root.post('/UpdateVisitor', { VisitorID, ValidUntil: ValidFrom })).status.fields).toEqual({
      ValidUntil: 'dateOrder',
    })
  })

  it('arrive, overstay and leave; a visit that has ended cannot be changed', async () => {
    const { VisitorID } = await register({ ValidUntil: world.clock.now() + HOUR })
    const states = async (state: string) =>
      (await root.post('/ListVisitor', { States: [state], Limit: 500 })).results.Rows.map(
        (row: { VisitorID: string }) => row.VisitorID,
      )
    const span = { From: world.clock.now(), Until: world.clock.now() + 1 }
    const overview = async () => (await root.post('/GetVisitorOverview', span)).results
    const before = await overview()
    expect(await states('expected')).toContain(VisitorID)
    expect((await root.post('/CheckOutVisitor', { VisitorID })).status.code).toBe(ERRORS.CONFLICT.code)
    await root.post('/CheckInVisitor', { VisitorID })
    expect(await states('inside')).toContain(VisitorID)
    expect(await overview()).toMatchObject({ Expected: before.Expected - 1, Inside: before.Inside + 1 })
    expect((await root.post('/RemoveVisitor', { VisitorID })).status.code).toBe(ERRORS.CONFLICT.code)
    world.clock.advance(HOUR + 1)
    root = await world.signIn(root.email, root.password)
    expect(await states('overdue')).toContain(VisitorID)
    expect((await root.post('/ListInside')).results).toContainEqual(
      expect.objectContaining({ PersonID: VisitorID, PersonKind: 'visitor', PersonName: '王小明' }),
    )
    await root.post('/CheckOutVisitor', { VisitorID })
    expect(await states('left')).toContain(VisitorID)
    expect((await root.post('/ListInside')).results).toEqual([])
    for (const [path, input] of [
      ['/UpdateVisitor', { Company: 'x' }],
      ['/RevokeVisitor', {}],
      ['/CheckInVisitor', {}],
      ['/GetVisitorPass', {}],
      ['/MailVisitorPass', {}],
    ] as const)
      expect((await root.post(path, { VisitorID, ...input })).status.code, path).toBe(ERRORS.CONFLICT.code)
  })

  it('who return are filled in from their last visit, by email in any case or by phone', async () => {
    await register({ Email: 'again@example.com', Phone: '0922333444', Company: '舊公司' })
    world.clock.advance(1)
    await register({ Email: 'again@example.com', Phone: '0922333444', Company: '新公司' })
    for (const by of [{ Email: 'AGAIN@example.com' }, { Phone: '0922-333-444' }])
      expect((await root.post('/FindFormerVisitor', by)).results).toMatchObject({
        Company: '新公司',
        Visits: 2,
      })
    expect((await root.post('/FindFormerVisitor', { Email: 'never@example.com' })).results).toBeNull()
  })

  it('receive the pass again if their window changes, but not if their company does', async () => {
    const sent = () => world.mails.filter(({ to }) => to === 'moved@example.com').length
    const { VisitorID, ValidUntil } = await register({ Email: 'moved@example.com' })
    await vi.waitFor(() => expect(sent()).toBe(1), PATIENT)
    await root.post('/UpdateVisitor', { VisitorID, Company: '別家' })
    await root.post('/UpdateVisitor', { VisitorID, ValidUntil: ValidUntil + HOUR })
    await vi.waitFor(() => expect(sent()).toBe(2), PATIENT)
    await root.post('/MailVisitorPass', { VisitorID })
    expect(sent()).toBe(3)
  })

  it('receive the pass later if the mail server is unavailable, of which a user who sends it again learns', async () => {
    const sent = () => world.mails.filter(({ to }) => to === 'later@example.com').length
    const send = vi.spyOn(world.mail, 'send').mockRejectedValue(new Error('connect ECONNREFUSED'))
    const { VisitorID } = await register({ Email: 'later@example.com' })
    await vi.waitFor(() => expect(send).toHaveBeenCalled(), PATIENT)
    const { status } = await root.post('/MailVisitorPass', { VisitorID })
    expect(status.code).toBe(ERRORS.UNAVAILABLE.code)
    expect(sent()).toBe(0)
    send.mockRestore()
    await vi.waitFor(() => {
      world.clock.advance(60_000)
      expect(sent()).toBe(1)
    }, PATIENT)
  })

  it('receive no pass that waits after their visit was deleted', async () => {
    const send = vi.spyOn(world.mail, 'send').mockRejectedValue(new Error('connect ECONNREFUSED'))
    const { VisitorID } = await register({ Email: 'never@example.com' })
    await vi.waitFor(() => expect(send).toHaveBeenCalled(), PATIENT)
    await root.post('/RemoveVisitor', { VisitorID })
    send.mockRestore()
    await vi.waitFor(async () => {
      world.clock.advance(60_000)
      expect(await world.db.query(sql`select 1 from deliveries where kind = 'visitor-pass'`)).toEqual([])
    }, PATIENT)
    expect(world.mails.filter(({ to }) => to === 'never@example.com')).toEqual([])
  })

  it('reject an update with an outdated version; a check-in does not change the version', async () => {
    const { VisitorID, Version } = await register()
    await root.post('/CheckInVisitor', { VisitorID })
    const first = await root.post('/UpdateVisitor', { VisitorID, Company: '甲', Version })
    expect(first.results).toMatchObject({ Company: '甲', Version: Version + 1 })
    expect((await root.post('/UpdateVisitor', { VisitorID, Company: '乙', Version })).status).toMatchObject({
      code: ERRORS.CONFLICT.code,
      fields: { Version: 'changed' },
    })
    expect((await root.post('/GetVisitor', { VisitorID })).results).toMatchObject({ Company: '甲' })
    const knowing = { VisitorID, Company: '乙', Version: Version + 1 }
    expect((await root.post('/UpdateVisitor', knowing)).results).toMatchObject({ Company: '乙' })
  })

  it('are paged without gaps in every order, and found by words or part of a phone number', async () => {
    const names = ['丁', '甲', 'Bob', 'alice', '丁', '%_']
    for (const name of names) await register({ VisitorName: name, Company: '分頁公司', MailPass: false })
    for (const Sort of ['ValidFrom', 'VisitorName', 'Company'])
      for (const Descending of [true, false]) {
        const seen: string[] = []
        let Cursor: string | undefined
        do {
          const { results } = await root.post('/ListVisitor', {
            Search: '分頁公司',
            Sort,
            Descending,
            Limit: 2,
            ...(Cursor && { Cursor }),
          })
          expect(results.Total).toBe(names.length)
          seen.push(...results.Rows.map((row: { VisitorID: string }) => row.VisitorID))
          Cursor = results.NextCursor ?? undefined
        } while (Cursor)
        expect(new Set(seen).size).toBe(names.length)
        expect(seen).toHaveLength(names.length)
      }
    const found = async (Search: string) =>
      (await root.post('/ListVisitor', { Search })).results.Rows.map(
        (row: { VisitorName: string }) => row.VisitorName,
      )
    expect(await found('分頁 ALICE')).toEqual(['alice'])
    expect(await found('%_')).toEqual(['%_'])
    expect((await found('0922-333')).length).toBe(2)
    for (const Cursor of ['x', Buffer.from('["a","b"]').toString('base64url')])
      expect((await root.post('/ListVisitor', { Cursor })).status).toMatchObject({
        code: ERRORS.INVALID.code,
        fields: { Cursor: 'invalid' },
      })
  })

  it('of another company are not found', async () => {
    const stranger = await world.signUp()
    const { VisitorID } = await register()
    const { EmployeeID } = await hire('甲', 'a@example.com')
    for (const path of [
      '/GetVisitor',
      '/UpdateVisitor',
      '/RemoveVisitor',
      '/CheckInVisitor',
      '/RevokeVisitor',
      '/GetVisitorPass',
      '/MailVisitorPass',
    ])
      expect((await stranger.post(path, { VisitorID })).status.code, path).toBe(ERRORS.NOT_FOUND.code)
    for (const path of [
      '/GetEmployee',
      '/UpdateEmployee',
      '/RemoveEmployee',
      '/GetEmployeePass',
      '/RenewEmployeePass',
    ])
      expect((await stranger.post(path, { EmployeeID })).status.code, path).toBe(ERRORS.NOT_FOUND.code)
    expect(
      (await stranger.post('/RegisterVisitor', visit({ HostEmployeeID: EmployeeID }))).status.fields,
    ).toEqual({
      HostEmployeeID: 'notFound',
    })
    expect((await stranger.post('/ListVisitor')).results.Rows).toEqual([])
    expect((await stranger.post('/SearchHost')).results).toEqual([])
  })
})

describe('Employees', () => {
  it('get a new pass when it is renewed, which is published to screens', async () => {
    const { EmployeeID } = await hire('丁', 'pass@example.com')
    const pass = async () => (await root.post('/GetEmployeePass', { EmployeeID })).results.Token as string
    const former = await pass()
    const { Token } = (await root.post('/RenewEmployeePass', { EmployeeID })).results
    expect(Token).not.toBe(former)
    expect(await pass()).toBe(Token)
    const told = world.events.findLast(({ name }) => name === 'dataChange')?.event
    expect(told).toMatchObject({ name: 'employee.update', record: { EmployeeID } })
  })

  it('have a unique email and card, regardless of spelling', async () => {
    await hire('乙', 'Same@Example.com', { CardNumber: '04:a3-5b 11' })
    expect(
      (await root.post('/CreateEmployee', { EmployeeName: '丙', Email: 'sAME@example.com' })).status,
    ).toMatchObject({ code: ERRORS.CONFLICT.code, fields: { Email: 'taken' } })
    const card = { EmployeeName: '丙', Email: 'other@example.com', CardNumber: '04A35B11' }
    expect((await root.post('/CreateEmployee', card)).status.fields).toEqual({ CardNumber: 'taken' })
    expect((await root.post('/CreateEmployee', { ...card, CardNumber: '#1' })).status.fields).toEqual({
      CardNumber: 'card',
    })
    expect((await root.post('/ListEmployee', { Search: '04-a3-5b-11' })).results.Rows).toHaveLength(1)
  })

  it('reject an update with an outdated version', async () => {
    const { EmployeeID, Version } = await hire('己', 'versions@example.com')
    const save = (Active: boolean, version?: number) =>
      root.post('/UpdateEmployee', { EmployeeID, Active, ...(version !== undefined && { Version: version }) })
    expect((await save(false, Version)).results).toMatchObject({ Active: false, Version: Version + 1 })
    expect((await save(true, Version)).status).toMatchObject({
      code: ERRORS.CONFLICT.code,
      fields: { Version: 'changed' },
    })
    expect((await root.post('/GetEmployee', { EmployeeID })).results).toMatchObject({ Active: false })
    expect((await save(true)).results).toMatchObject({ Active: true, Version: Version + 2 })
    const both = await Promise.all([save(false, Version + 2), save(true, Version + 2)])
    expect(both.map(({ status }) => status.code).sort()).toEqual([0, ERRORS.CONFLICT.code])
  })

  it('can have no card, more than one of them', async () => {
    for (const email of ['n1@example.com', 'n2@example.com'])
      expect(await hire('無卡', email)).toMatchObject({ CardNumber: null, Active: true })
  })

  it('keep their department and are found by it', async () => {
    const { DepartmentID } = (await root.post('/CreateDepartment', { Department: '設備課' })).results
    const { EmployeeID } = await hire('丁', 'dept@example.com', { DepartmentID })
    expect((await root.post('/ListEmployee', { Search: '設備課' })).results.Rows).toEqual([
      expect.objectContaining({ EmployeeID, Department: '設備課' }),
    ])
    expect((await root.post('/DeleteDepartment', { DepartmentID })).status.code).toBe(ERRORS.CONFLICT.code)
    expect((await root.post('/UpdateEmployee', { EmployeeID, DepartmentID: 'gone' })).status.fields).toEqual({
      DepartmentID: 'notFound',
    })
    await root.post('/RemoveEmployee', { EmployeeID })
    expect((await root.post('/DeleteDepartment', { DepartmentID })).status.code).toBe(0)
  })

  it('do not expose card numbers in the audit', async () => {
    await hire('戊', 'audit@example.com', { CardNumber: 'SECRET99' })
    const rows = await world.db.pool.query("select * from audit_log where path like '%Employee'")
    expect(rows.rowCount).toBeGreaterThan(0)
    expect(JSON.stringify(rows.rows)).not.toContain('SECRET99')
    expect(JSON.stringify(world.log)).not.toContain('audit@example.com')
  })
})

it('shows visits to those who may read visitors, and hosts without other employee data', async () => {
  const desk = await world.createUser(root, [rights('access_control_visitor', 'Read', 'Create', 'Update')])
  expect((await desk.post('/ListVisitor')).status.code).toBe(0)
  expect((await desk.post('/ListEmployee')).status.code).toBe(ERRORS.PERMISSION_DENIED.code)
  const { results } = await desk.post('/SearchHost', { Search: '林' })
  expect(results).toEqual([{ EmployeeID: expect.any(String), EmployeeName: '林主任', Department: null }])
})

describe('Upkeep', () => {
  it('deletes expired visitor data with its audit rows, and keeps the count', async () => {
    const keepDays = { commands: 0, audit: 0, history: 0, visitors: 30, scans: 30 }
    const other = await startWorld({ config: { retentionDays: keepDays } })
    try {
      const owner = await other.signUp()
      const input = { ...visit(), ValidFrom: other.clock.now(), ValidUntil: other.clock.now() + HOUR }
      const { VisitorID } = (await owner.post('/RegisterVisitor', input)).results
      const removed = (await owner.post('/RegisterVisitor', input)).results
      await owner.post('/RemoveVisitor', { VisitorID: removed.VisitorID })
      // A visitor who left by a door before the last day and never returned is not inside.
      await other.db.pool.query('update visitors set checked_in_at = valid_from, away_at = valid_from + 1')
      other.clock.advance(31 * 24 * HOUR)
      const read = async () => (await other.db.pool.query('select * from visitors')).rows[0]
      await vi.waitFor(async () => {
        other.clock.advance(HOUR)
        expect((await read()).anonymised_at).not.toBeNull()
      }, PATIENT)
      expect(await read()).toMatchObject({ visitor_id: VisitorID, visitor_name: '', email: '', phone: '' })
      await vi.waitFor(async () => {
        other.clock.advance(HOUR)
        const audit = await other.db.pool.query("select * from audit_log where path like '%Visitor'")
        expect(audit.rowCount).toBe(3)
        expect(JSON.stringify(audit.rows)).not.toContain('0911222333')
      }, PATIENT)
    } finally {
      await other.close()
    }
  })
})
