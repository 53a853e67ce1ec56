import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ERRORS } from '../../../../../contract/kernel/errors.ts'
import { MAX_AUTOMATIONS } from '../../../../../contract/automation/automation.ts'
import { MAX_GROUPS } from '../../../../../contract/automation/group.ts'
import { MAX_SCENES } from '../../../../../contract/automation/scene.ts'
import { raw, sql } from '../../../../../gateway/kernel/db.ts'
import { addDiscovered } from '../../../../support/discoveries.ts'
import { type Caller, type World } from '../../../../support/world.ts'
import { ON, schedule, startBuilding } from './support.ts'

let world: World
let root: Caller
let HomeID: string
let count = 0

beforeAll(async () => ({ world, root, HomeID } = await startBuilding()))
afterAll(() => world.close())

/** Copies the only row of a table until exactly one more fits. */
const fill = (table: string, id: string, name: string, most: number) =>
  world.db.query(sql`insert into ${raw(table)}
    select (jsonb_populate_record(t, jsonb_build_object(${id}::text, 'copy-' || n, ${name}::text, 'Copy ' || n))).*
    from ${raw(table)} t, generate_series(1, ${most - 2}::int) n where t.home_id = ${HomeID}`)

const name = () => `Made ${(count += 1)}`

describe.each([
  {
    what: 'groups',
    fillUp: () => fill('groups', 'group_id', 'group_name', MAX_GROUPS),
    create: () => root.post('/CreateGroup', { HomeID, GroupName: name(), PeripheralList: ['r1'] }),
  },
  {
    what: 'scenes',
    fillUp: () => fill('scenes', 'scene_id', 'scene_name', MAX_SCENES),
    create: () => root.post('/CreateScene', { HomeID, SceneName: name(), Actions: ON }),
  },
  {
    what: 'automations',
    fillUp: () => fill('automations', 'automation_id', 'automation_name', MAX_AUTOMATIONS.home),
    create: () => root.post('/CreateAutomation', schedule(HomeID)),
  },
])('the limit of $what in a home', ({ fillUp, create }) => {
  it('holds for concurrent requests', async () => {
    expect((await create()).status.code).toBe(0)
    await fillUp()
    const answers = await Promise.all(Array.from({ length: 6 }, create))
    const codes = answers.map(({ status }) => status.code).toSorted((a, b) => a - b)
    expect(codes).toEqual([0, ...Array<number>(5).fill(ERRORS.LIMIT_EXCEEDED.code)].toSorted((a, b) => a - b))
  })
})

it('limits the automations of a company over all its homes', async () => {
  const other = (await root.post('/CreateHome', { HomeName: 'B', TimeZone: 'Asia/Taipei' })).results.HomeID
  const [stored] = await world.db.query<{ automations: number }>(
    sql`select count(*)::int as automations from automations`,
  )
  await world.db.query(sql`insert into automations
    select (jsonb_populate_record(t, jsonb_build_object('home_id', ${other}::text, 'automation_id', 'company-' || n,
      'automation_name', 'Company ' || n))).*
    from automations t,
      generate_series(1, ${MAX_AUTOMATIONS.company - 1 - (stored?.automations ?? 0)}::int) n
    where t.automation_id = (select min(automation_id) from automations)`)
  const third = (await root.post('/CreateHome', { HomeName: 'C', TimeZone: 'Asia/Taipei' })).results
  await addDiscovered(world, root, {
    HomeID: third.HomeID,
    ThingName: (await root.post('/AddThing', { HomeID: third.HomeID, DeviceName: 'hub' })).results.ThingName,
    uids: ['elsewhere'],
  })
  const create = () =>
    root.post(
      '/CreateAutomation',
      schedule(third.HomeID, { Actions: [{ PeripheralUID: 'elsewhere', Values: { Switch: 1 } }] }),
    )
  expect((await create()).status.code).toBe(0)
  expect((await create()).status.code).toBe(ERRORS.LIMIT_EXCEEDED.code)
})
