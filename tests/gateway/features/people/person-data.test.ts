import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createHash } from 'node:crypto'
import { ERRORS } from '../../../../contract/kernel/errors.ts'
import { raw, sql } from '../../../../gateway/kernel/db.ts'
import { addConferenceRoom, book, HOUR } from '../../../support/bookings.ts'
import { type Caller, EVERYTHING, PASSWORD, rights, startWorld, type World } from '../../../support/world.ts'

let world: World
let root: Caller
beforeAll(async () => {
  world = await startWorld()
  root = await world.signUp()
})
afterAll(() => world.close())

const PHONE = '0911222333'
let people = 0

/** Person with an account, an employee record, a visit, and traces in all kinds of tables. */
async function createKnownPerson(company = root) {
  const no = ++people
  const known = {
    email: `mei.${no}@example.com`,
    first: `Meiling${no}`,
    last: `Chenxi${no}`,
    nickname: `Dragonfly${no}`,
    visitorName: `陳美玲${'甲乙丙丁戊己庚辛壬癸'[no] ?? no}`,
  }
  const name = `${known.first} ${known.last}`
  await world.createUser(company, EVERYTHING, known.email)
  const profile = {
    Email: known.email,
    FirstName: known.first,
    LastName: known.last,
    nickname: known.nickname,
  }
  expect((await company.post('/UpdateUserInfo', profile)).status.code).toBe(0)
  const caller = await world.signIn(known.email, PASSWORD)
  const employee = (await company.post('/CreateEmployee', { EmployeeName: name, Email: known.email })).results
  const visitor = (
    await company.post('/RegisterVisitor', {
      VisitorName: known.visitorName,
      Email: known.email,
      Phone: PHONE,
      Company: `Dragon Works ${no}`,
      ValidFrom: world.clock.now(),
      ValidUntil: world.clock.now() + HOUR,
    })
  ).results
  return { ...known, name, caller, EmployeeID: employee.EmployeeID, VisitorID: visitor.VisitorID, no }
}
type Known = Awaited<ReturnType<typeof createKnownPerson>>

async function leaveTraces({ caller, email, name, first, no }: Known) {
  const { results: home } = await root.post('/CreateHome', {
    HomeName: `Tower ${no}`,
    TimeZone: 'Asia/Taipei',
  })
  const room = await addConferenceRoom(root, `Room ${no}`)
  await book(caller, world, room, HOUR, {
    Host: name,
    Subject: `Review with ${name}`,
    Attendees: [email, 'guest@example.com'],
  })
  await caller.post('/UpdatePersonalConfig', { DecimalPrecision: 4 })
  await caller.post('/UpdateCompanyProfile', { CompanyName: 'Towers' })
  const { tenant } = root
  const at = world.clock.now()
  const content = JSON.stringify({ by: name })
  const hash = createHash('sha256').update(content).digest('hex')
  for (const row of [
    sql`insert into commands (tenant, request_id, peripheral_uid, home_id, thing_name, values, source, by_name, state, history, requested_at)
      values (${tenant}, ${`r-${no}`}, 'p', ${home.HomeID}, 't', '{}', 'person', ${name}, 'done', '[]', ${at})`,
    sql`insert into maintenances (maintenance_id, tenant, home_id, scope, subject, until, reason, started_by, started_at)
      values (gen_random_uuid(), ${tenant}, ${home.HomeID}, 'home', ${String(no)}, ${at}, ${`Ask ${email.toUpperCase()}`}, ${name}, ${at})`,
    sql`insert into automation_pauses (tenant, home_id, until, reason, by_name, at)
      values (${tenant}, ${home.HomeID}, ${at}, ${`${name} is on leave`}, ${name}, ${at})`,
    sql`insert into alarms (alarm_id, tenant, home_id, source, severity, values, raised_at, reported_at, acknowledged_by, acknowledged_at, comments, withdrawn)
      values (gen_random_uuid(), ${tenant}, ${home.HomeID}, ${`source-${no}`}, 'warning', '{}', ${at}, ${at}, ${name}, ${at},
        ${JSON.stringify([{ By: name, Text: `Call ${email}` }])}, ${JSON.stringify([{ By: name, Text: null, WithdrawnBy: name }])})`,
    sql`insert into notices (tenant, category, severity, kind, values, audience, at, unsent, can_acknowledge)
      values (${tenant}, 'alarm', 'warning', 'k', ${JSON.stringify({ By: name })}, '{}', ${at}, false, false)`,
    sql`insert into report_copies (copy_id, tenant, kind, period, content, hash, closed_at, closed_by, closed_by_name)
      values (gen_random_uuid(), ${tenant}, 'energy', ${`2026-${no}`}, ${content}, ${hash}, ${at}, ${caller.cognitoId}, ${name})`,
    sql`insert into outbox (recipient, subject, body, created_at) values (${root.email}, 'Hello', ${`${name} <${email}>`}, ${at})`,
    sql`insert into company_invitations (secret_hash, email, created_at, expires_at) values (${Buffer.from(email)}, ${email}, ${at}, ${at})`,
    sql`insert into import_profiles (tenant, home_id, signature, name, answers, meters, by, updated_at)
      values (${tenant}, ${home.HomeID}, ${hash}, ${`Readings of ${name}.csv`}, '{}', ${JSON.stringify([{ Name: name, MeterID: 'm' }])}, ${name}, ${at})`,
    sql`insert into push_subscriptions (subscription_id, tenant, cognito_id, endpoint_hash, info_sealed, user_agent, created_at, registered_at, service)
      values (gen_random_uuid(), ${tenant}, ${caller.cognitoId}, ${email}, ${`sealed-${first}`}, 'Firefox of tests', ${at}, ${at}, 'example.com')`,
  ])
    await world.db.query(row)
}

/** `table.column: text` for each place of the database that contains one of these texts. */
async function findTraces(texts: readonly string[]): Promise<string[]> {
  const columns = await world.db.query<{ table: string; column: string }>(sql`
    select c.table_name as table, c.column_name as column from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE'`)
  expect(columns.length).toBeGreaterThan(500)
  const found: string[] = []
  for (const { table, column } of columns) {
    const value = sql`${raw(`"${column}"`)}::text`
    const rows = await world.db.query<{ text: string }>(sql`
      select ${value} as text from ${raw(`"${table}"`)}
      where exists (select from unnest(${texts.map((text) => text.toLowerCase())}::text[]) needle
        where strpos(lower(${value}), needle) > 0)`)
    found.push(...rows.map(({ text }) => `${table}.${column}: ${text}`))
  }
  return found
}
const textsOf = ({ email, first, last, nickname, visitorName, no }: Known) => [
  email,
  first,
  last,
  nickname,
  visitorName,
  `Dragon Works ${no}`,
  PHONE,
]
const erase = ({ caller, email }: Known, by = root, Confirmation = email) =>
  by.post('/EraseUserData', { CognitoId: caller.cognitoId, Confirmation })

describe('Erasing a person', () => {
  it('leaves no name, address or phone number in any column of the database', async () => {
    const person = await createKnownPerson()
    await leaveTraces(person)
    expect((await findTraces(textsOf(person))).length).toBeGreaterThan(20)
    const { status, results } = await erase(person)
    expect(status.code).toBe(0)
    expect(results.Pseudonym).toMatch(/^已刪除 Deleted [\dA-F]{8}$/)
    expect(await findTraces(textsOf(person))).toEqual([])
  })

  it('keeps audit, bookings and actions under one pseudonym, and a closed report intact', async () => {
    const person = await createKnownPerson()
    await leaveTraces(person)
    const before = (await root.post('/ListAuditLog', { CognitoId: person.caller.cognitoId })).results.Total
    const { Pseudonym } = (await erase(person)).results
    const { results } = await root.post('/ListAuditLog', { CognitoId: person.caller.cognitoId })
    expect(results.Total).toBe(before)
    expect(new Set(results.Rows.map(({ ByName }: { ByName: string }) => ByName))).toEqual(
      new Set([Pseudonym]),
    )
    const [booking] = await world.db.query<{ host: string; subject: string; attendees: string[] }>(
      sql`select host, subject, attendees from reservations where subject like ${`%${Pseudonym}%`}`,
    )
    expect(booking).toMatchObject({ host: Pseudonym, subject: `Review with ${Pseudonym}` })
    expect(booking?.attendees).toEqual([
      expect.stringMatching(/^deleted-[\da-f]{8}@deleted\.invalid$/),
      'guest@example.com',
    ])
    const [{ isIntact } = { isIntact: false }] = await world.db.query<{ isIntact: boolean }>(sql`
      select encode(sha256(convert_to(content, 'UTF8')), 'hex') = hash as "isIntact" from report_copies
      where closed_by_name = ${Pseudonym}`)
    expect(isIntact).toBe(true)
  })

  it('includes a former account with the same address that was only deleted', async () => {
    const person = await createKnownPerson()
    await leaveTraces(person)
    await root.post('/DeleteUser', { Email: person.email })
    const invited = await root.post('/InviteUser', { Email: person.email, Language: 'en-US' })
    const { CognitoId } = invited.results
    await root.post('/EraseUserData', { CognitoId, Confirmation: person.email })
    expect(await findTraces(textsOf(person))).toEqual([])
  })

  it('sends no mail about a booking to an erased person', async () => {
    const person = await createKnownPerson()
    await leaveTraces(person)
    await erase(person)
    const [booking] = await world.db.query<{ id: string }>(
      sql`select record_id as id from reservations where attendees::text like '%deleted.invalid%' order by start_timestamp limit 1`,
    )
    expect((await root.post('/DeleteReservation', { RecordID: booking?.id })).status.code).toBe(0)
    const letters = await world.db.query(sql`select from deliveries where recipient like '%deleted.invalid'`)
    expect(letters).toEqual([])
  })

  it('ends sessions and is audited without the name', async () => {
    const person = await createKnownPerson()
    const { Pseudonym } = (await erase(person)).results
    expect((await person.caller.post('/ListSessions')).http).toBe(401)
    await expect(world.signIn(person.email, PASSWORD)).rejects.toThrow(person.email)
    const { results } = await root.post('/ListAuditLog', { Path: '/EraseUserData', Limit: 1 })
    expect(results.Rows[0]).toMatchObject({
      Input: { CognitoId: person.caller.cognitoId },
      After: { Pseudonym },
    })
  })

  it('deletes the photo after the database has forgotten it', async () => {
    const person = await createKnownPerson()
    const imageUrl = `/images/${person.EmployeeID}.webp`
    await world.db.query(
      sql`update employees set photo_url = ${imageUrl} where employee_id = ${person.EmployeeID}`,
    )
    await erase(person)
    expect(world.events).toContainEqual({ name: 'pictureDropped', event: { imageUrl } })
    expect(await findTraces([imageUrl])).toEqual([])
  })

  it('is all or nothing', async () => {
    const person = await createKnownPerson()
    await leaveTraces(person)
    const before = (await findTraces(textsOf(person))).length
    const run = (text: string) => world.db.query(sql`${raw(text)}`)
    await run(`create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$`)
    await run('create trigger refuse before update on reservations execute function refuse()')
    expect((await erase(person)).status.code).toBe(ERRORS.INTERNAL.code)
    await run('drop trigger refuse on reservations')
    expect((await findTraces(textsOf(person))).length).toBe(before)
    expect((await person.caller.post('/ListSessions')).status.code).toBe(0)
    expect((await erase(person)).status.code).toBe(0)
  })

  it('of an employee without an account includes their visits', async () => {
    const Email = 'no-account@example.com'
    const { EmployeeID } = (await root.post('/CreateEmployee', { EmployeeName: 'Without Account', Email }))
      .results
    await root.post('/RegisterVisitor', {
      VisitorName: 'Without Account',
      Email,
      Phone: '0922333444',
      ValidFrom: world.clock.now(),
      ValidUntil: world.clock.now() + HOUR,
    })
    const answer = await root.post('/EraseEmployeeData', { EmployeeID, Confirmation: Email })
    expect(answer.status.code).toBe(0)
    expect(await findTraces(['without account', Email])).toEqual([])
  })

  it('of a visitor keeps what others have sent to the address', async () => {
    const foreign = await world.signUp()
    const at = world.clock.now()
    const { results } = await root.post('/RegisterVisitor', {
      VisitorName: 'Founder elsewhere',
      Email: foreign.email,
      Phone: '0922333444',
      ValidFrom: at,
      ValidUntil: at + HOUR,
    })
    await world.db.query(
      sql`insert into outbox (recipient, subject, body, created_at) values (${foreign.email}, 'Your link', 'https://example.com', ${at})`,
    )
    await world.db.query(sql`insert into company_invitations (secret_hash, email, created_at, expires_at)
      values (${Buffer.from(foreign.email)}, ${foreign.email}, ${at}, ${at})`)
    const erased = await root.post('/EraseVisitorData', {
      VisitorID: results.VisitorID,
      Confirmation: foreign.email,
    })
    expect(erased.status.code).toBe(0)
    const [left] = await world.db.query<{ mails: number; invitations: number }>(sql`
      select (select count(*)::int from outbox where recipient = ${foreign.email} and subject = 'Your link') as mails,
        (select count(*)::int from company_invitations where email = ${foreign.email}) as invitations`)
    expect(left).toEqual({ mails: 1, invitations: 1 })
  })

  it('affects no one with the same name or phone, and no other company', async () => {
    const person = await createKnownPerson()
    const other = await root.post('/RegisterVisitor', {
      VisitorName: 'Other Guest',
      Email: 'other@example.com',
      Phone: PHONE,
      ValidFrom: world.clock.now(),
      ValidUntil: world.clock.now() + HOUR,
    })
    const foreign = await world.signUp()
    await foreign.post('/CreateEmployee', { EmployeeName: person.name, Email: person.email })
    await erase(person)
    expect((await root.post('/GetVisitor', { VisitorID: other.results.VisitorID })).results).toMatchObject({
      Phone: PHONE,
      VisitorName: 'Other Guest',
    })
    expect((await foreign.post('/ListEmployee')).results.Rows).toMatchObject([
      { EmployeeName: person.name, Email: person.email },
    ])
    expect(
      (await foreign.post('/ListAuditLog', { Path: '/CreateEmployee' })).results.Rows[0].Input.EmployeeName,
    ).toBe(person.name)
  })

  it('does not replace words that are also the name of a field or a state', async () => {
    const person = await createKnownPerson()
    await root.post('/UpdateUserInfo', { Email: person.email, nickname: 'person' })
    await leaveTraces(person)
    await erase(person)
    const sources = await world.db.query<{ source: string }>(
      sql`select distinct source from commands where tenant = ${root.tenant}`,
    )
    expect(sources).toEqual([{ source: 'person' }])
  })

  it('requires the address or the name, and rejects the owner, oneself and visitors inside', async () => {
    const person = await createKnownPerson()
    expect((await erase(person, root, 'somebody else')).status).toMatchObject({
      code: ERRORS.INVALID.code,
      fields: { Confirmation: 'confirmation' },
    })
    const owner = { CognitoId: root.cognitoId, Confirmation: root.email }
    expect((await person.caller.post('/EraseUserData', owner)).status.fields).toEqual({ CognitoId: 'owner' })
    expect((await erase(person, person.caller)).status.fields).toEqual({ CognitoId: 'self' })
    await root.post('/CheckInVisitor', { VisitorID: person.VisitorID })
    expect((await erase(person)).status.fields).toEqual({ Confirmation: 'inside' })
    await root.post('/CheckOutVisitor', { VisitorID: person.VisitorID })
    expect((await erase(person, root, person.name.toUpperCase())).status.code).toBe(0)
  })

  it('erases visits of one address together, and an account before its visits', async () => {
    const person = await createKnownPerson()
    const visitor = { VisitorID: person.VisitorID, Confirmation: person.email }
    expect((await root.post('/EraseVisitorData', visitor)).status).toMatchObject({
      code: ERRORS.CONFLICT.code,
      fields: { VisitorID: 'hasAccount' },
    })
    const employee = { EmployeeID: person.EmployeeID, Confirmation: person.email }
    expect((await root.post('/EraseEmployeeData', employee)).status.fields).toEqual({
      EmployeeID: 'hasAccount',
    })
    const visit = (Email: string) =>
      root.post('/RegisterVisitor', {
        VisitorName: 'Twice Comer',
        Email,
        Phone: '0922333444',
        ValidFrom: world.clock.now(),
        ValidUntil: world.clock.now() + HOUR,
      })
    const { VisitorID } = (await visit('twice@example.com')).results
    await visit('twice@example.com')
    const answer = await root.post('/EraseVisitorData', { VisitorID, Confirmation: 'Twice Comer' })
    expect(answer.status.code).toBe(0)
    expect(await findTraces(['twice comer', 'twice@example.com', '0922333444'])).toEqual([])
  })
})

describe('Exporting a person', () => {
  let person: Known
  beforeEach(async () => {
    person = await createKnownPerson()
    await leaveTraces(person)
  })

  it('contains each fact that is stored, and no key', async () => {
    const { status, results } = await root.post('/ExportUserData', { CognitoId: person.caller.cognitoId })
    expect(status.code).toBe(0)
    const { Sections, LeftOut } = results
    expect(LeftOut).toEqual({})
    expect(Sections).toMatchObject({
      Profile: [{ email: person.email, first_name: person.first, last_name: person.last }],
      Rights: expect.arrayContaining([expect.objectContaining({ feature: 'room' })]),
      PersonalSettings: [{ decimal_precision: 4 }],
      SignIns: expect.arrayContaining([expect.objectContaining({ path: '/SignIn' })]),
      Sessions: expect.arrayContaining([
        expect.objectContaining({ created_at: expect.stringMatching(/^\d{4}-.*Z$/) }),
      ]),
      PushSubscriptions: [{ user_agent: 'Firefox of tests' }],
      Bookings: [{ subject: `Review with ${person.name}`, booked_by_this_person: true }],
      Employee: [{ employee_name: person.name }],
      Visits: [{ visitor_name: person.visitorName, phone: PHONE }],
      AuditByThisPerson: expect.arrayContaining([expect.objectContaining({ path: '/UpdateCompanyProfile' })]),
      AuditAboutThisPerson: expect.arrayContaining([expect.objectContaining({ path: '/CreateUser' })]),
    })
    expect(JSON.stringify(results)).not.toMatch(/sealed-|argon2|token_hash|endpoint_hash/)
  })

  it('is audited only for the account', async () => {
    await root.post('/ExportUserData', { CognitoId: person.caller.cognitoId })
    const { results } = await root.post('/ListAuditLog', { Path: '/ExportUserData', Limit: 1 })
    expect(results.Rows[0]).toMatchObject({ Input: { CognitoId: person.caller.cognitoId }, After: null })
  })

  it('is open to everyone for their own data', async () => {
    const plain = await world.createUser(root, [])
    const { results } = await plain.post('/ExportMyData')
    expect(results.Sections.Profile).toMatchObject([{ email: plain.email }])
    expect(JSON.stringify(results)).not.toContain(person.email)
  })
})

describe('The rights to export and erase', () => {
  it('are limited to the company', async () => {
    const person = await createKnownPerson()
    const foreign = await world.signUp()
    for (const [path, body] of [
      ['/ExportUserData', { CognitoId: person.caller.cognitoId }],
      ['/EraseUserData', { CognitoId: person.caller.cognitoId, Confirmation: person.email }],
      ['/ExportVisitorData', { VisitorID: person.VisitorID }],
      ['/EraseEmployeeData', { EmployeeID: person.EmployeeID, Confirmation: person.email }],
    ] as const)
      expect((await foreign.post(path, body)).status.code).toBe(ERRORS.NOT_FOUND.code)
  })

  it('require the audit for an export, and each part of the person for an erasure', async () => {
    const person = await createKnownPerson()
    await root.post('/UpdateUserInfo', { Email: person.email, Permissions: [] })
    const DENIED = ERRORS.PERMISSION_DENIED.code
    const exporter = await world.createUser(root, [rights('user', 'Export', 'Delete')])
    const copy = { CognitoId: person.caller.cognitoId }
    expect((await exporter.post('/ExportUserData', copy)).status.code).toBe(DENIED)
    expect((await erase(person, exporter)).status.code).toBe(DENIED)
    const controller = await world.createUser(root, [rights('user', 'Export'), rights('company', 'Control')])
    expect((await controller.post('/ExportUserData', copy)).status.code).toBe(0)
    expect((await erase(person, controller)).status.code).toBe(DENIED)
  })

  it('do not cover a person with rights beyond those of the caller', async () => {
    const person = await createKnownPerson()
    const weaker = await world.createUser(root, [
      rights('user', 'Export', 'Delete'),
      rights('company', 'Control'),
    ])
    const copy = { CognitoId: person.caller.cognitoId }
    expect((await weaker.post('/ExportUserData', copy)).status.fields).toEqual({ Email: 'stronger' })
    expect((await erase(person, weaker)).status.fields).toEqual({ Email: 'stronger' })
  })
})
