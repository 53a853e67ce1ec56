import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ERRORS } from '../../../../../contract/kernel/errors.ts'
import { type Caller, rights, type World } from '../../../../support/world.ts'
import { schedule, startBuilding } from './support.ts'

let world: World
let root: Caller
let HomeID: string

beforeAll(async () => ({ world, root, HomeID } = await startBuilding()))
afterAll(() => world.close())

const pause = (Until: number | null, by = root) =>
  by.post('/PauseAutomation', { HomeID, Until, Reason: '消防演練' })
const paused = async () => (await root.post('/GetAutomationPause', { HomeID })).results
const told = () =>
  world.events.filter(({ event }) => 'name' in event && event.name === 'automationPause.update').length

describe('automations of a home', () => {
  it('pause until a user resumes them', async () => {
    const { results } = await pause(null)
    expect(results).toEqual({
      HomeID,
      Until: null,
      Reason: '消防演練',
      By: expect.any(String),
      At: world.clock.now(),
    })
    expect(await paused()).toEqual(results)
    expect((await root.post('/ResumeAutomation', { HomeID })).results).toEqual({ HomeID })
    expect(await paused()).toBeNull()
    expect((await root.post('/ResumeAutomation', { HomeID })).status.code).toBe(ERRORS.CONFLICT.code)
    for (const Path of ['/PauseAutomation', '/ResumeAutomation'])
      expect((await root.post('/ListAuditLog', { Path })).results.Rows, Path).toHaveLength(1)
  })

  it('resume by themselves when the time is over, and publish so', async () => {
    await pause(world.clock.now() + 60_000)
    const before = told()
    await world.clock.advance(90_000)
    await expect.poll(told).toBe(before + 1)
    expect(await paused()).toBeNull()
  })

  it('do not pause until a past time', async () => {
    expect((await pause(world.clock.now())).status.fields).toEqual({ Until: 'past' })
  })

  it('can be paused only by users who may change schedules and smart links', async () => {
    const person = await world.createUser(root, [rights('schedule', 'Update')])
    expect((await pause(null, person)).status).toMatchObject({
      code: ERRORS.PERMISSION_DENIED.code,
      missing: { feature: 'smart_link', operation: 'Update' },
    })
  })
})

describe('an automation', () => {
  it('is disabled and enabled, with an audit row each', async () => {
    const { AutomationID } = (await root.post('/CreateAutomation', schedule(HomeID))).results
    const turn = (Enabled: boolean) =>
      root.post('/SetAutomationEnabled', { AutomationType: 1, AutomationID, Enabled })
    expect((await turn(false)).results).toMatchObject({ Enabled: false, State: 'disabled', Version: 2 })
    expect((await turn(true)).results).toMatchObject({ Enabled: true, State: 'ready', Version: 3 })
    const { Rows } = (await root.post('/ListAuditLog', { Path: '/SetAutomationEnabled' })).results
    expect(Rows).toHaveLength(2)
  })

  it('is run manually, as a run of the user', async () => {
    const made = (await root.post('/CreateAutomation', schedule(HomeID))).results
    const key = { AutomationType: 1, AutomationID: made.AutomationID }
    const { results } = await root.post('/RunAutomation', { ...key, At: world.clock.now() })
    expect(results).toEqual({ RunID: expect.any(String), Actions: 1 })
    const runs = (await root.post('/ListAutomationRun', { HomeID, AutomationID: made.AutomationID })).results
    expect(runs.Rows).toEqual([
      expect.objectContaining({ RunID: results.RunID, Cause: 'person', Name: made.AutomationName }),
    ])
    const [listed] = (await root.post('/ListAutomation', { AutomationType: 1, HomeID })).results.filter(
      ({ AutomationID }: { AutomationID: string }) => AutomationID === made.AutomationID,
    )
    expect(listed).toMatchObject({ LastRunAt: world.clock.now(), RunsToday: 1 })
  })

  it('is not run by an expired request, or without Control', async () => {
    const { AutomationID } = (await root.post('/CreateAutomation', schedule(HomeID))).results
    const key = { AutomationType: 1, AutomationID }
    const late = await root.post('/RunAutomation', { ...key, At: world.clock.now() - 11_000 })
    expect(late.status).toMatchObject({ code: ERRORS.INVALID.code, fields: { At: 'tooLate' } })
    const person = await world.createUser(root, [rights('schedule', 'Update')])
    expect((await person.post('/RunAutomation', key)).status).toMatchObject({
      missing: { feature: 'device_control', operation: 'Control' },
    })
  })
})
