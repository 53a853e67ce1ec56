import { type Group, type group, type GroupKey, MAX_GROUPS } from '../../../../contract/automation/group.ts'
import type { HandlersOf, SignedIn } from '../../../kernel/context.ts'
import { GatewayError } from '../../../kernel/errors.ts'
import { findHome, lockHome, lockHomeExclusively } from '../../../domain/homes/find-home.ts'
import { assertVersion } from '../../../lib/assert-version.ts'
import { conflictOnUniqueViolation } from '../../../store/database-errors.ts'
import { sql } from '../../../kernel/db.ts'
import { assertNoNewLoop } from '../rules/other-rules.ts'
import { readGroups, writeMembers } from '../targets/group-store.ts'
import { assertRight } from '../targets/assert-right.ts'
import { deleteUnreferenced, findReferences } from '../targets/references.ts'
import { areAdjacent } from '../../../../contract/devices/capabilities/light-house.ts'
import type { RecheckRules } from './mark-broken.ts'

/** Signal-light sensors, which are mounted in a row: a group contains neighbours only (§5). */
const LIGHT_HOUSE = '515'

interface Member {
  PeripheralUID: string
  PeripheralType: string
  ThingName: string | null
}

/**
 * Reason that devices cannot form a group (§5): `oneType` if their types differ; `notAdjacent` if signal-light sensors are of
 * several hubs, or another sensor of their hub is between them in the order of PeripheralUIDs.
 *
 * devices  the members and at least every other signal-light sensor of their home
 */
export function groupProblem(
  uids: readonly string[],
  devices: readonly Member[],
): 'oneType' | 'notAdjacent' | undefined {
  const members = devices.filter(({ PeripheralUID }) => uids.includes(PeripheralUID))
  const [first] = members
  if (!first) return undefined
  if (members.some(({ PeripheralType }) => PeripheralType !== first.PeripheralType)) return 'oneType'
  if (first.PeripheralType !== LIGHT_HOUSE) return undefined
  if (members.some(({ ThingName }) => ThingName !== first.ThingName)) return 'notAdjacent'
  const row = devices
    .filter(
      ({ PeripheralType, ThingName }) => PeripheralType === LIGHT_HOUSE && ThingName === first.ThingName,
    )
    .map(({ PeripheralUID }) => PeripheralUID)
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
  return areAdjacent(uids.map((uid) => row.indexOf(uid))) ? undefined : 'notAdjacent'
}

const TAKEN = 'This home already has a group of that name'

export const groupHandlers = ({
  recheck,
}: {
  recheck: RecheckRules
}): HandlersOf<typeof group.operations> => ({
  list: async ({ HomeID }, { db, actor }) => {
    await findHome(db, actor.tenant, HomeID)
    return readGroups(
      db,
      sql`g.tenant = ${actor.tenant} and g.home_id = ${HomeID} order by lower(g.group_name), g.group_id`,
    )
  },

  create: async (input, context) => {
    const { db, actor, random } = context
    await lockHomeExclusively(db, actor.tenant, input.HomeID)
    const GroupType = await lockMembers(input, context)
    const [count] = await db.query<{ groups: number }>(sql`select count(*) as groups from groups
      where tenant = ${actor.tenant} and home_id = ${input.HomeID}`)
    if ((count?.groups ?? 0) >= MAX_GROUPS)
      throw new GatewayError('LIMIT_EXCEEDED', `A home has at most ${MAX_GROUPS} groups`)
    const record: Group = { GroupID: random.uuid(), ...input, GroupType, Version: 1 }
    await conflictOnUniqueViolation(
      'GroupName',
      TAKEN,
      db.query(sql`insert into groups (tenant, group_id, home_id, group_name, group_type)
        values (${actor.tenant}, ${record.GroupID}, ${record.HomeID}, ${record.GroupName}, ${GroupType})`),
    )
    await writeMembers(db, actor.tenant, record)
    context.change('group.add', record)
    context.audit({ after: record })
    return record
  },

  update: async ({ HomeID, GroupID, Version, ...changes }, context) => {
    const { db, actor } = context
    await lockHome(db, actor.tenant, HomeID)
    // Lock order: devices before their groups, as when a device is removed.
    const type = changes.PeripheralList && (await lockMembers({ HomeID, ...changes }, context))
    const before = await lockGroup({ HomeID, GroupID }, context)
    assertVersion(Version, before)
    const after: Group = {
      ...before,
      ...changes,
      GroupType: type ?? before.GroupType,
      Version: before.Version + 1,
    }
    const isOtherDevices = !isSameSet(before.PeripheralList, after.PeripheralList)
    const isOfOtherType = after.GroupType !== before.GroupType
    const isSet = (isOtherDevices || isOfOtherType) && (await isActedOn(before, context))
    if (isSet && isOtherDevices) assertRight(actor, 'device_control', 'Control', before.HomeID)
    if (isSet && isOfOtherType)
      // Actions on the group set fields of its present type.
      throw new GatewayError('CONFLICT', 'Scenes or automations act on this group', {
        PeripheralList: 'oneType',
      })
    await conflictOnUniqueViolation(
      'GroupName',
      TAKEN,
      db.query(sql`update groups set group_name = ${after.GroupName}, group_type = ${after.GroupType},
        version = ${after.Version} where tenant = ${actor.tenant} and group_id = ${GroupID}`),
    )
    if (changes.PeripheralList) {
      await assertNoNewLoop(db, { tenant: actor.tenant, homeId: HomeID }, 'PeripheralList', () =>
        writeMembers(db, actor.tenant, after),
      )
      // Actions on an empty group were broken.
      if (before.PeripheralList.length === 0) await recheck(context, { kind: 'group', ids: [GroupID] })
    }
    context.change('group.update', after)
    context.audit({ before, after })
    return after
  },

  remove: async (key, context) => {
    await deleteUnreferenced(context, {
      kind: 'group',
      id: key.GroupID,
      homeId: key.HomeID,
      lockSubject: () => lockGroup(key, context),
    })
    context.change('group.remove', key)
    return key
  },
})

const isSameSet = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((one) => b.includes(one))

async function isActedOn({ GroupID }: Group, { db, actor }: SignedIn): Promise<boolean> {
  return (await findReferences(db, actor.tenant, { kind: 'group', id: GroupID })).length > 0
}

/** Reads a group and locks it until the transaction ends. Errors: NOT_FOUND. */
async function lockGroup({ HomeID, GroupID }: GroupKey, { db, actor }: SignedIn): Promise<Group> {
  const one = sql`g.tenant = ${actor.tenant} and g.home_id = ${HomeID} and g.group_id = ${GroupID}`
  await db.query(sql`select 1 from groups g where ${one} for update`)
  const [record] = await readGroups(db, one)
  if (!record) throw new GatewayError('NOT_FOUND', `Group ${GroupID} does not exist`)
  return record
}

/**
 * Checks that devices are of the home and can form a group, and locks them until the transaction ends.
 *
 * returns  device type of the group
 * errors   NOT_FOUND with `{ 'PeripheralList.<i>': 'notFound' }`; INVALID with oneType or notAdjacent
 */
async function lockMembers(
  { HomeID, PeripheralList = [] }: Pick<Group, 'HomeID'> & { PeripheralList?: string[] | undefined },
  { db, actor }: SignedIn,
): Promise<string> {
  const inHome = sql`tenant = ${actor.tenant} and home_id = ${HomeID}`
  await db.query(sql`select 1 from peripherals where ${inHome} and peripheral_uid = any(${PeripheralList})
    order by peripheral_uid for key share`)
  const found = await db.query<{
    PeripheralUID: string
    PeripheralType: string
    ThingName: string | null
  }>(sql`
    select peripheral_uid as "PeripheralUID", peripheral_type as "PeripheralType", thing_name as "ThingName"
    from peripherals where ${inHome} and (peripheral_type = '515' or peripheral_uid = any(${PeripheralList}))`)
  const missing = PeripheralList.findIndex((uid) => !found.some(({ PeripheralUID }) => PeripheralUID === uid))
  if (missing >= 0)
    throw new GatewayError('NOT_FOUND', `Device ${PeripheralList[missing]} does not exist`, {
      [`PeripheralList.${missing}`]: 'notFound',
    })
  const problem = groupProblem(PeripheralList, found)
  if (problem) throw new GatewayError('INVALID', 'These devices make no group', { PeripheralList: problem })
  const [first] = PeripheralList
  return found.find(({ PeripheralUID }) => PeripheralUID === first)?.PeripheralType as string
}
