import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createOutsideAccounts } from '../../../../gateway/broker/external/outside-accounts.ts'
import { sql } from '../../../../gateway/store/db.ts'
import { type Building, createBuilding } from '../../../support/building.ts'
import { holdClock } from '../../../support/clock.ts'
import { createTestDb, type TestDb } from '../../../support/postgres.ts'

let test: TestDb
let building: Building
let accounts: ReturnType<typeof createOutsideAccounts>
beforeAll(async () => {
  test = await createTestDb()
})
afterAll(() => test.drop())
beforeEach(async () => {
  building = await createBuilding(test.db)
  const sealer = {
    seal: (text: string, context: string) => `${context}|${text.split('').reverse().join('')}`,
    open(sealed: string, context: string) {
      const [of, text = ''] = sealed.split('|')
      if (of !== context) throw new Error('Another context')
      return text.split('').reverse().join('')
    },
  }
  accounts = createOutsideAccounts({ db: test.db, clock: holdClock(), sealer })
})

const made = (secret: string) =>
  accounts.keep(test.db, [
    ['hubRevoked', { tenant: building.tenant, thingName: building.thingName }],
    ['hubEnrolled', { ...building, secret }],
  ])
const waiting = async () => (await accounts.enrolments(building.thingName)).map(({ secret }) => secret)

describe('a hub’s new secret', () => {
  it('waits, encrypted, until the broker has it', async () => {
    await made('secret-one')
    const [row] = await test.db.query(
      sql`select * from hub_enrolments where thing_name = ${building.thingName}`,
    )
    expect(JSON.stringify(row)).not.toContain('secret-one')
    expect(await accounts.enrolments(building.thingName)).toEqual([
      { hub: building.hub, secret: 'secret-one' },
    ])
    await accounts.enrolled(building.thingName, 'secret-one')
    expect(await waiting()).toEqual([])
  })

  it('takes the place of an older one, which the broker may have heard of only now', async () => {
    await made('secret-one')
    await made('secret-two')
    await accounts.enrolled(building.thingName, 'secret-one')
    expect(await waiting()).toEqual(['secret-two'])
  })

  it('that another SECRET sealed is nobody’s, and keeps no other from the broker', async () => {
    await made('secret-one')
    const stale = await createBuilding(test.db)
    await test.db
      .query(sql`insert into hub_enrolments (thing_name, tenant, home_id, sealed_secret, created_at)
      values (${stale.thingName}, ${stale.tenant}, ${stale.homeId}, 'of another secret|x', 0)`)
    const names = (await accounts.enrolments()).map(({ hub }) => hub.thingName)
    expect(names).toContain(building.thingName)
    expect(names).not.toContain(stale.thingName)
    await accounts.enrolled(stale.thingName, 'anything')
  })

  it('is not kept by a change that was rolled back, and goes with its hub', async () => {
    const failing = test.db.transaction(async (tx) => {
      await accounts.keep(tx, [['hubEnrolled', { ...building, secret: 'never' }]])
      throw new Error('rolled back')
    })
    await expect(failing).rejects.toThrow('rolled back')
    expect(await waiting()).toEqual([])
    await made('secret')
    await test.db.query(sql`delete from things where thing_name = ${building.thingName}`)
    expect(await waiting()).toEqual([])
  })
})

it('knows who may sign in, and with which rights', async () => {
  const permissions = [{ FeatureKey: 'device', OperationList: ['Read'] }]
  const add = (id: string, enabled: boolean) =>
    test.db.query(sql`insert into users (tenant, cognito_id, email, enabled, permissions, created_at)
      values (${building.tenant}, ${id}, ${`${id}@example.com`}, ${enabled}, ${JSON.stringify(permissions)}, 0)`)
  const person = building.tenant.replace(/^..../, 'aaaa')
  const disabled = building.tenant.replace(/^..../, 'bbbb')
  await add(building.tenant, true)
  await add(person, true)
  await add(disabled, false)
  const people = await accounts.people([building.tenant, person, disabled, 'nobody'])
  expect(people).toEqual(
    new Map([
      [building.tenant, { isRoot: true, permissions }],
      [person, { isRoot: false, permissions }],
    ]),
  )
  expect(await accounts.people([])).toEqual(new Map())
})
