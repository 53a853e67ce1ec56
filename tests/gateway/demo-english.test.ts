import { afterAll, beforeAll, expect, it } from 'vitest'
import { home } from '../../contract/homes/home.ts'
import { sql, raw } from '../../gateway/kernel/db.ts'
import type { Api } from '../../scripts/api.ts'
import { seedAutomation } from '../../scripts/demo-automation.ts'
import { createMonths } from '../../scripts/demo-backfill.ts'
import { seedDemoCompany } from '../../scripts/demo-company.ts'
import { ENGLISH } from '../../scripts/demo-english.ts'
import { apiIn, callIn } from '../../scripts/demo-language.ts'
import { recordMeasures } from '../../scripts/demo-measures.ts'
import { seedOffice } from '../../scripts/demo-office.ts'
import { storeRecords } from '../../scripts/demo-records.ts'
import { demoCompany } from '../../simulator/demo/demo.ts'
import { storyOf } from '../../simulator/demo/story.ts'
import { holdClock } from '../support/clock.ts'
import { announceDevices, demoApiOf } from '../support/demo-api.ts'
import { startWorld, type World } from '../support/world.ts'

const UNTIL = Date.parse('2026-07-15T10:05:00+08:00')
const HAN = /\p{Script=Han}/u
const story = storyOf(UNTIL)

let world: World
/** Inputs of calls with Chinese texts. */
const chinese: string[] = []
let sites: string[]
let seen: string[]

beforeAll(async () => {
  world = await startWorld({ clock: holdClock(UNTIL + 60_000) })
  const { api, owner } = demoApiOf(world)
  const watched = {
    ...api,
    signIn: async (...account: Parameters<Api['signIn']>) => {
      const call = await api.signIn(...account)
      return ((endpoint, input) => {
        const text = JSON.stringify(input)
        if (HAN.test(text)) chinese.push(`${endpoint.path} ${text}`)
        return call(endpoint, input)
      }) satisfies typeof call
    },
  }
  const {
    hubs,
    addDevices,
    owner: call,
  } = await seedDemoCompany(apiIn('en', watched), {}, { now: UNTIL, story })
  const { tenant } = owner()
  await announceDevices(world, tenant, hubs)
  await addDevices()
  await seedOffice(call, UNTIL, { wrong: story.terms })
  await seedAutomation(call)
  await createMonths(world.db, UNTIL - 400 * 86_400_000, UNTIL)
  await storeRecords({ db: world.db, call, tenant, until: UNTIL, language: 'en' }, true)
  await recordMeasures(call, story.measures, UNTIL).catch(() => undefined)
  seen = (await call(home.operations.list, {})).map(({ HomeName }) => HomeName)
  sites = (await (await api.signIn('', ''))(home.operations.list, {})).map(({ HomeName }) => HomeName)
})
afterAll(() => world.close())

it('is named in English by every call', () => {
  expect(chinese).toEqual([])
  expect(sites.toSorted()).toEqual([
    'Kaohsiung branch',
    'Neihu head office',
    'Taichung factory',
    'Tainan logistics center',
  ])
})

it('returns the names of the plan to the program that seeds it', () => {
  expect(seen.toSorted()).toEqual(demoCompany.homes.map(({ HomeName }) => HomeName).toSorted())
})

it.each([
  'automation_runs',
  'reservations',
  'alarms',
  'audit_log',
  'peripherals',
  'rooms',
  'scenes',
  'automations',
])('has no Chinese in %s', async (table) => {
  const rows = await world.db.query<{ row: string }>(
    sql`select row_to_json(t)::text as row from ${raw(table)} t where row_to_json(t)::text ~ '[一-鿿]' limit 3`,
  )
  expect(rows).toEqual([])
})

it('uses each English name once, and keeps what has none', async () => {
  const names = Object.values(ENGLISH)
  expect(new Set(names).size).toBe(names.length)
  const call = callIn('en', (async () => ['Chiller', { Other: 'Nothing of the demo' }]) as never)
  expect(await call(home.operations.list, {})).toEqual(['冰水主機', { Other: 'Nothing of the demo' }])
})
