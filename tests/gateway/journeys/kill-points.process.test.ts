import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ERRORS } from '../../../contract/kernel/errors.ts'
import { taipowerPlan } from '../../../contract/tariffs/taipower-plans.ts'
import type { TariffVersion } from '../../../contract/tariffs/tariff-terms.ts'
import { addDiscovered } from '../../support/discoveries.ts'
import { homeTariff } from '../../support/home-tariff.ts'
import { createKillPoints, type KillPoints, points } from '../../support/kill-points.ts'
import { createTestDb } from '../../support/postgres.ts'
import { isThorough } from '../../support/thorough.ts'
import { type Caller, startWorld, type World } from '../../support/world.ts'
import { store } from '../features/energy/rollup/meters.ts'

const DAY = 86_400_000
const MONTH = 31 * DAY

let world: World
let root: Caller
let kills: KillPoints
let HomeID: string
let meterId: number
beforeAll(async () => {
  const database = await createTestDb({ max: 20 })
  kills = createKillPoints(database)
  world = await startWorld({ database })
  root = await world.signUp()
  HomeID = (await root.post('/CreateHome', { HomeName: 'A', TimeZone: 'Asia/Taipei' })).results.HomeID
  const { ThingName } = (await root.post('/AddThing', { HomeID, DeviceName: 'hub' })).results
  await addDiscovered(world, root, { HomeID, ThingName, type: '514', uids: ['m1', 'm2'] })
  const { rows } = await world.db.pool.query<{ id: number }>(
    'insert into meters (tenant, home_id, peripheral_uid) values ($1, $2, $3) returning meter_id as id',
    [root.tenant, HomeID, 'm1'],
  )
  meterId = rows[0]?.id ?? 0
  const start = world.clock.now() - 2 * MONTH
  await store(
    world.db,
    meterId,
    Array.from({ length: 50 }, (_, i) => ({ timestamp: start + i * DAY, kwh: i * 10 })),
  )
})
afterAll(async () => {
  await world.close()
  await kills.close()
})

/** Every n-th statement is interrupted. */
const STEP = isThorough ? 1 : 2

/**
 * Repeats the call, interrupted at one point after the other until none is left. Each time the state must be unchanged, or, when only the
 * response was lost, that after the call: then the same RequestID returns the earlier result.
 *
 * returns  the results
 */
async function endEverywhere(path: string, body: object) {
  const input = { ...body, RequestID: randomUUID() }
  const before = await kills.content()
  const post = () => root.post(path, input)
  let now = before
  let ended = 0
  for (const point of points(STEP)) {
    let answer: Awaited<ReturnType<typeof post>> | undefined
    const reached = await kills.kill(point, async () => void (answer = await post()))
    now = await kills.content()
    const { status } = answer ?? {}
    const isLost = point.when === 'after' && now['audit_log'] !== before['audit_log']
    if (status?.code === 0 || isLost) break
    expect(reached).toBe(true)
    expect(status?.code, JSON.stringify({ point, status })).toBe(ERRORS.UNAVAILABLE.code)
    expect(now, JSON.stringify(point)).toEqual(before)
    ended += 1
  }
  expect(now).not.toEqual(before)
  expect(ended).toBeGreaterThan(5 / STEP)
  const { status, results } = await post()
  expect(status).toEqual({ code: 0 })
  expect(await kills.content()).toEqual(now)
  return results
}

async function draft(Kind: 'counter' | 'interval', from: number) {
  const made = await root.post('/CreateMeterImport', { HomeID, FileName: 'past.csv', Kind })
  const key = { HomeID, MeterImportID: made.results.MeterImportID as string }
  const places = Array.from({ length: 40 }, (_, i) => i)
  const added = await root.post('/AddMeterImportRows', {
    ...key,
    Meters: ['m1', 'm2'],
    Rows: {
      Row: places,
      Meter: places.map((i) => i % 2),
      Timestamp: places.map((i) => from + Math.floor(i / 2) * DAY),
      Quarters: places.map(() => 4),
      Value: places.map((i) => i),
    },
  })
  expect(added.status).toEqual({ code: 0 })
  return key
}

describe('a call with a gateway killed at any statement executes completely or not at all:', () => {
  it.each(['counter', 'interval'] as const)('importing %s values, and undoing it', async (kind) => {
    const key = await draft(kind, world.clock.now() - 14 * MONTH - (world.clock.now() % 900_000))
    expect(await endEverywhere('/CommitMeterImport', key)).toMatchObject({ State: 'done', Added: 40 })
    expect(await endEverywhere('/UndoMeterImport', key)).toMatchObject({ State: 'undone' })
  })

  it('recording a meter replacement, and undoing it', async () => {
    const From = world.clock.now() - MONTH
    const made = await endEverywhere('/CreateMeterCorrection', {
      HomeID,
      PeripheralUID: 'm1',
      Kind: 'replacement',
      From,
      OldKwh: 310,
      NewKwh: 0,
      Note: 'new meter',
    })
    expect(made).toMatchObject({ Kind: 'replacement' })
    const { CorrectionID } = made
    const undone = await endEverywhere('/UndoMeterCorrection', { HomeID, CorrectionID })
    expect(undone).toMatchObject({ UndoneAt: world.clock.now() })
  })

  it('setting facts of several meters and their place', async () => {
    const said = await endEverywhere('/SetMeterFacts', {
      HomeID,
      Facts: [
        { MeterID: 'm1', Fact: 'role', Value: 'gridImport', From: null },
        { MeterID: 'm2', Fact: 'parent', Value: 'm1', From: '2025-12-01' },
        { MeterID: 'm1', Fact: 'limit', Value: 500, From: '2025-12-01' },
      ],
    })
    expect(said).toHaveLength(4)
    const key = { HomeID, MeterID: 'm1', Fact: 'limit', From: '2025-12-01' }
    expect(await endEverywhere('/DeleteMeterFact', key)).toEqual([])
    const area = { HomeID, RoomID: null, Fact: 'area', Value: 900, From: null }
    expect(await endEverywhere('/SetPlaceFact', area)).toMatchObject([{ Value: 900 }])
  })

  it('correcting a tariff, and the tariffs of a home', async () => {
    const current = taipowerPlan('lv_two_stage')?.Versions.at(-1) as TariffVersion
    const made = await endEverywhere('/CreateTariff', { TariffName: 'Park', Versions: [current] })
    const { TariffID } = made
    const Tariffs = [homeTariff({ PlanID: TariffID })]
    await endEverywhere('/UpdateHomeTariff', { HomeID, Tariffs })
    const Versions = [{ ...current, ValidFrom: '2025-01-01' }]
    expect(await endEverywhere('/UpdateTariff', { TariffID, Versions })).toMatchObject({ Versions })
  })

  it('deleting a home with everything in it', async () => {
    const home = (await root.post('/CreateHome', { HomeName: 'B', TimeZone: 'Asia/Taipei' })).results.HomeID
    const { ThingName } = (await root.post('/AddThing', { HomeID: home, DeviceName: 'hub' })).results
    await addDiscovered(world, root, { HomeID: home, ThingName, type: '514', uids: ['other'] })
    expect(await endEverywhere('/DeleteHome', { HomeID: home })).toEqual({ HomeID: home })
  })
})
