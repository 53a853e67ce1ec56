import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../../../../gateway/kernel/db.ts'
import type { Caller, World } from '../../../../support/world.ts'
import { ON, schedule, startBuilding } from './support.ts'

let world: World
let root: Caller
let HomeID: string
let AutomationID: string
let SceneID: string

beforeAll(async () => {
  ;({ world, root, HomeID } = await startBuilding())
  AutomationID = (await root.post('/CreateAutomation', schedule(HomeID))).results.AutomationID
  const scene = { HomeID, SceneName: 'Evening', Actions: ON }
  SceneID = (await root.post('/CreateScene', scene)).results.SceneID
})
afterAll(() => world.close())

type Of = { automation: string } | { scene: string }
let count = 0
/** Stores a run that began now, one second after the last one, with the end of each action: device, state and reason. */
async function addRun(
  of: Of,
  state: string,
  ends: readonly (readonly [uid: string, state?: string, reason?: string])[] = [],
  reason: string | null = null,
): Promise<string> {
  const at = world.clock.now() + (count += 1) * 1_000
  const RunID = `run-${count}`
  const steps = ends.map(([uid, end, why = null], i) => ({
    n: i + 1,
    uid,
    values: { Switch: 1 },
    after: 0,
    catchUp: false,
    ...(end !== undefined && { end: { state: end, reason: why, at } }),
  }))
  await world.db.query(sql`
    insert into automation_runs (tenant, run_id, home_id, automation_id, automation_type, scene_id, cause, state, reason, began_at,
      ended_at, action_order, actions)
    values (${root.tenant}, ${RunID}, ${HomeID}, ${'automation' in of ? of.automation : null}, ${'automation' in of ? 1 : null},
      ${'scene' in of ? of.scene : null}, ${'scene' in of ? 'person' : 'schedule'}, ${state}, ${reason}, ${at}::bigint, ${at}::bigint,
      'together', ${JSON.stringify(steps)}::jsonb)`)
  return RunID
}
const listed = async () =>
  (await root.post('/ListAutomation', { AutomationType: 1, HomeID })).results[0] as Record<string, unknown>
const listedScene = async () =>
  (await root.post('/GetSceneByHomeId', { HomeID })).results[0] as Record<string, unknown>

describe('the last run in the list of automations', () => {
  it('is omitted for one that never ran', async () => {
    const rule = await listed()
    expect(rule).toMatchObject({ LastRunAt: null, LastResult: null })
    expect(rule).not.toHaveProperty('LastRun')
    expect(rule).not.toHaveProperty('LastSkip')
    expect(await listedScene()).not.toHaveProperty('LastRun')
  })

  it('counts devices, not actions, without those that were left alone', async () => {
    const RunID = await addRun({ automation: AutomationID }, 'done', [
      ['r1', 'confirmed'],
      ['r1', 'confirmed'],
      ['r2', 'confirmed'],
      ['r2', 'left'],
      ['r3', 'left'],
    ])
    expect((await listed())['LastRun']).toEqual({
      RunID,
      At: expect.any(Number),
      Cause: 'schedule',
      State: 'done',
      Reason: null,
      Devices: 2,
      Confirmed: 2,
      Failed: 0,
      Failure: null,
    })
  })

  it('counts a device as failed if one of its actions failed, and names the most frequent reason', async () => {
    await addRun({ automation: AutomationID }, 'partly', [
      ['r1', 'confirmed'],
      ['r2', 'confirmed'],
      ['r2', 'failed', 'noAnswer'],
      ['r3', 'failed', 'hubOffline'],
      ['r4', 'failed', 'hubOffline'],
    ])
    expect(await listed()).toMatchObject({
      LastResult: 'partly',
      LastRun: { State: 'partly', Devices: 4, Confirmed: 1, Failed: 3, Failure: 'hubOffline' },
    })
  })

  it('counts a device without a result as neither confirmed nor failed', async () => {
    await addRun({ automation: AutomationID }, 'partly', [['r1', 'confirmed'], ['r2']])
    expect((await listed())['LastRun']).toMatchObject({ Devices: 2, Confirmed: 1, Failed: 0, Failure: null })
  })

  it('states why it was skipped since, until it runs again', async () => {
    await addRun({ automation: AutomationID }, 'skipped', [], 'unknown')
    await addRun({ automation: AutomationID }, 'skipped', [], 'outsidePeriod')
    expect(await listed()).toMatchObject({
      LastRun: { State: 'partly' },
      LastSkip: { At: expect.any(Number), Reason: 'outsidePeriod' },
    })
    await addRun({ automation: AutomationID }, 'refused', [], 'noRight')
    const rule = await listed()
    expect(rule).toMatchObject({ LastRun: { State: 'refused', Reason: 'noRight', Devices: 0 } })
    expect(rule).not.toHaveProperty('LastSkip')
  })

  it('is not recorded in the audit log', async () => {
    await root.post('/UpdateAutomation', { AutomationType: 1, AutomationID, Description: 'd' })
    await addRun({ scene: SceneID }, 'done', [['r2', 'confirmed']])
    await root.post('/UpdateScene', { HomeID, SceneID, SceneName: 'Late' })
    for (const Path of ['/UpdateAutomation', '/UpdateScene']) {
      const [row] = (await root.post('/ListAuditLog', { Path })).results.Rows
      expect(row.After, Path).toBeTruthy()
      for (const kept of [row.Before, row.After]) expect(kept, Path).not.toHaveProperty('LastRun')
    }
  })
})

describe('the last run in the list of scenes', () => {
  it('is that of the scene', async () => {
    const RunID = await addRun({ scene: SceneID }, 'failed', [['r2', 'failed', 'noAnswer']])
    expect((await listedScene())['LastRun']).toMatchObject({
      RunID,
      Cause: 'person',
      State: 'failed',
      Devices: 1,
      Confirmed: 0,
      Failed: 1,
      Failure: 'noAnswer',
    })
    expect((await listed())['LastRun']).not.toMatchObject({ RunID })
  })
})
