import type { automations } from '../../../../contract/automation/calls.ts'
import type { Action } from '../../../../contract/automation/action.ts'
import { capabilityOf } from '../../../../contract/devices/kinds/registry.ts'
import { groupProblem } from './group.ts'
import { commonPaths } from '../../../../contract/devices/status-order.ts'
import type { Handler, SignedIn } from '../../../kernel/context.ts'
import { GatewayError } from '../../../kernel/errors.ts'
import { lockMeterFacts } from '../../../domain/meters/meter-facts.ts'
import { sql } from '../../../kernel/db.ts'
import { readScenes, sceneNames } from '../targets/scene-store.ts'
import { changeEventOf } from './automation.ts'
import { assertNoNewLoop } from '../rules/other-rules.ts'
import { readGroups, writeMembers } from '../targets/group-store.ts'
import { assertRight } from '../targets/assert-right.ts'
import type { Replan } from '../rules/ports.ts'
import type { RecheckRules } from './mark-broken.ts'
import { currentProblem } from '../rules/problem.ts'
import { replaceInMeters, type DeviceReplacement } from './replace-meter.ts'
import {
  readAutomations,
  updateAutomation,
  automationRowOf,
  actionLists,
  LOADS,
  ruleOf,
  type RuleOfAutomation,
} from '../rules/stored-rule.ts'

/** Replaces a device by another in everything that names it, in one transaction. Needs Control, as rules of other owners change. */
export const replacePeripheral =
  ({
    replan,
    recheck,
  }: {
    replan: Replan
    recheck: RecheckRules
  }): Handler<typeof automations.replacePeripheral> =>
  async (input, context) => {
    assertRight(context.actor, 'device_control', 'Control', input.HomeID)
    if (input.Old === input.New)
      throw new GatewayError('INVALID', 'This is the same device', { New: 'taken' })
    const { db, actor } = context
    const { zone } = await lockMeterFacts(db, actor.tenant, input.HomeID)
    const type = await lockBoth(input, context)
    const home = { tenant: actor.tenant, homeId: input.HomeID }
    const rules: string[] = []
    const counted = { Groups: 0, Scenes: 0, Automations: 0, Meters: 0, Alarms: 0 }
    await assertNoNewLoop(db, home, 'New', async () => {
      counted.Groups = (await inGroups(input, context)).length
      counted.Scenes = (await inScenes(input, context)).length
      rules.push(...(await inAutomations(input, context)))
      counted.Automations = rules.length
    })
    await replan(
      db,
      rules.map((automationId) => ({ tenant: actor.tenant, automationId })),
    )
    if (capabilityOf(type, 'meter')) counted.Meters = await replaceInMeters(input, zone, context)
    counted.Alarms = await inAlarms(input, context)
    // A scene that lacked the old device may be complete now.
    await recheck(context, { kind: 'device', ids: [input.Old, input.New] })
    context.audit({
      before: { PeripheralUID: input.Old },
      after: { PeripheralUID: input.New, ...counted },
    })
    return counted
  }

/** Locks both devices and returns their type. Errors: NOT_FOUND; CONFLICT if their types differ. */
async function lockBoth({ HomeID, Old, New }: DeviceReplacement, { db, actor }: SignedIn): Promise<string> {
  const found = await db.query<{ uid: string; type: string }>(sql`
    select peripheral_uid as uid, peripheral_type as type from peripherals
    where tenant = ${actor.tenant} and home_id = ${HomeID} and peripheral_uid = any(${[Old, New]}::text[])
    order by peripheral_uid for update`)
  for (const [field, uid] of Object.entries({ Old, New }))
    if (!found.some((one) => one.uid === uid))
      throw new GatewayError('NOT_FOUND', `Device ${uid} does not exist`, { [field]: 'notFound' })
  if (found[0]?.type !== found[1]?.type)
    throw new GatewayError('CONFLICT', 'The devices are of two types', { New: 'oneType' })
  return found[0]?.type ?? ''
}

/** Moves open alarms: an alarm does not end because its detector is replaced; the new one's next report decides. */
async function inAlarms({ HomeID, Old, New }: DeviceReplacement, context: SignedIn): Promise<number> {
  const { db, actor } = context
  const movedAlarms =
    await db.query(sql`update alarms a set source = ${`state:${New}`}, peripheral_uid = ${New}
    where a.tenant = ${actor.tenant} and a.source = ${`state:${Old}`} and a.cleared_at is null
      and not exists (select from alarms o where o.tenant = a.tenant and o.source = ${`state:${New}`}
        and o.key = a.key and o.cleared_at is null) returning 1`)
  if (movedAlarms.length > 0) context.change('alarm.update', { HomeID })
  return movedAlarms.length
}

async function inGroups({ HomeID, Old, New }: DeviceReplacement, context: SignedIn): Promise<string[]> {
  const { db, actor } = context
  const held = await db.query<{ id: string }>(sql`select group_id as id from groups
    where tenant = ${actor.tenant} and group_id in (select group_id from group_members
      where tenant = ${actor.tenant} and peripheral_uid = ${Old}) order by group_id for update`)
  const ids = held.map(({ id }) => id)
  if (ids.length === 0) return []
  const devices = await db.query<
    Parameters<typeof groupProblem>[1][number]
  >(sql`select peripheral_uid as "PeripheralUID",
      peripheral_type as "PeripheralType", thing_name as "ThingName"
    from peripherals where tenant = ${actor.tenant} and home_id = ${HomeID}`)
  const ofThese = sql`g.tenant = ${actor.tenant} and g.group_id = any(${ids}::text[])`
  for (const group of await readGroups(db, ofThese)) {
    if (group.PeripheralList.includes(New))
      throw new GatewayError('CONFLICT', `Both devices are in group ${group.GroupName}`, { New: 'taken' })
    const PeripheralList = group.PeripheralList.map((uid) => (uid === Old ? New : uid))
    const problem = groupProblem(PeripheralList, devices)
    if (problem)
      throw new GatewayError('CONFLICT', `Group ${group.GroupName} cannot have it`, { New: problem })
    await writeMembers(db, actor.tenant, { GroupID: group.GroupID, PeripheralList })
    await db.query(sql`update groups set version = version + 1
      where tenant = ${actor.tenant} and group_id = ${group.GroupID}`)
    context.change('group.update', { ...group, PeripheralList, Version: group.Version + 1 })
  }
  return ids
}

async function inScenes(replaced: DeviceReplacement, context: SignedIn): Promise<string[]> {
  const { db, actor } = context
  const scenes = await readScenes(
    db,
    { tenant: actor.tenant, homeId: replaced.HomeID },
    sql`${sceneNames('device', [replaced.Old])} order by scene_id for update`,
  )
  for (const scene of scenes) {
    const Actions = inActions(scene.Actions, replaced)
    const Version = scene.Version + 1
    await db.query(sql`update scenes set actions = ${JSON.stringify(Actions)}::jsonb, version = ${Version}
      where tenant = ${actor.tenant} and scene_id = ${scene.SceneID}`)
    context.change('scene.update', { ...scene, Actions, Version })
  }
  return scenes.map(({ SceneID }) => SceneID)
}

async function inAutomations(replaced: DeviceReplacement, context: SignedIn): Promise<string[]> {
  const { db, actor, clock } = context
  const now = clock.now()
  const held = await db.query<{ id: string }>(sql`select automation_id as id from automations
    where tenant = ${actor.tenant} and automation_id in (select automation_id from automation_subjects
      where tenant = ${actor.tenant} and kind = 'device' and subject = ${replaced.Old}) order by automation_id for no key update`)
  const ids = held.map(({ id }) => id)
  const rules = await readAutomations(
    db,
    now,
    sql`a.tenant = ${actor.tenant} and a.automation_id = any(${ids}::text[]) order by a.automation_id`,
  )
  for (const before of rules) {
    const after = {
      ...automationRowOf(before),
      ...inRule(ruleOf(before), replaced),
      Version: before.Version + 1,
    }
    after.Problem = await currentProblem(db, actor.tenant, after, now)
    await updateAutomation(db, actor.tenant, after)
    context.change('automation.update', changeEventOf(before))
  }
  return ids
}

function inRule(rule: RuleOfAutomation, replaced: DeviceReplacement): RuleOfAutomation {
  const swap = <T extends { PeripheralUID: string }>(one: T): T =>
    one.PeripheralUID === replaced.Old ? { ...one, PeripheralUID: replaced.New } : one
  const { Conditions, Booking, Alarm } = rule
  const lists = Object.fromEntries(
    actionLists(rule).flatMap(({ path, actions }) =>
      path === LOADS ? [] : [[path, inActions(actions, replaced)]],
    ),
  )
  return {
    ...rule,
    ...(Conditions && { Conditions: { ...Conditions, PeripheralUIDs: Conditions.PeripheralUIDs.map(swap) } }),
    ...(Alarm?.Shed && {
      Alarm: { ...Alarm, Shed: { ...Alarm.Shed, Loads: inActions(Alarm.Shed.Loads, replaced) } },
    }),
    ...(Booking?.Presence && { Booking: { ...Booking, Presence: swap(Booking.Presence) } }),
    ...lists,
  }
}

/** Actions with the device replaced. Errors: CONFLICT if both devices are set, so that one field would be set twice. */
function inActions<A extends Pick<Action, 'PeripheralUID' | 'Values'>>(
  actions: readonly A[],
  { Old, New }: DeviceReplacement,
): A[] {
  const swapped = actions.map((action) =>
    action.PeripheralUID === Old ? { ...action, PeripheralUID: New } : action,
  )
  const ofNew = swapped.filter(({ PeripheralUID }) => PeripheralUID === New)
  const isTwice = ofNew.some((one, i) =>
    ofNew.slice(0, i).some((other) => commonPaths(other.Values ?? {}, one.Values ?? {})),
  )
  if (isTwice) throw new GatewayError('CONFLICT', 'Both devices are set together', { New: 'taken' })
  return swapped
}
