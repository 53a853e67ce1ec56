import {
  ImportProfile,
  type importProfiles,
  MAX_IMPORT_PROFILES,
} from '../../../contract/meters/import-profiles.ts'
import { deviceOfMeter } from '../../../contract/devices/kinds/meter-id.ts'
import { findHome, lockHome } from '../../domain/homes/find-home.ts'
import type { HandlersOf, SignedIn } from '../../kernel/context.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { sql } from '../../kernel/db.ts'
import { columnsOf } from '../../store/sql.ts'

export const importProfileHandlers: HandlersOf<typeof importProfiles> = {
  listImportProfile: async ({ HomeID }, { db, actor }) => {
    await findHome(db, actor.tenant, HomeID)
    return db.query<ImportProfile>(sql`
      select ${columnsOf(ImportProfile.omit({ Meters: true }))},
        case when home_id = ${HomeID} then meters else '[]' end as "Meters"
      from (select distinct on (signature) * from import_profiles where tenant = ${actor.tenant}
        order by signature, home_id = ${HomeID} desc, updated_at desc, home_id) newest
      order by updated_at desc, signature limit ${MAX_IMPORT_PROFILES}::int`)
  },

  saveImportProfile: async (input, context) => {
    const { db, actor, clock } = context
    await lockHome(db, actor.tenant, input.HomeID)
    await assertMeters(input, context)
    // Excludes other changes of the company's profiles, so that the count is exact.
    await db.query(sql`select pg_advisory_xact_lock(hashtext('import_profiles'), hashtext(${actor.tenant}))`)
    const before = await readProfile(input, context)
    const after: ImportProfile = { ...input, By: actor.name, UpdatedAt: clock.now() }
    await db.query(sql`
      insert into import_profiles (tenant, home_id, signature, name, answers, meters, by, updated_at)
      values (${actor.tenant}, ${after.HomeID}, ${after.Signature}, ${after.Name}, ${JSON.stringify(after.Answers)}::jsonb,
        ${JSON.stringify(after.Meters)}::jsonb, ${after.By}, ${after.UpdatedAt}::bigint)
      on conflict (tenant, home_id, signature) do update set name = excluded.name, answers = excluded.answers,
        meters = excluded.meters, by = excluded.by, updated_at = excluded.updated_at`)
    await db.query(sql`
      delete from import_profiles where tenant = ${actor.tenant} and (home_id, signature) in (
        select home_id, signature from import_profiles
        where tenant = ${actor.tenant} and (home_id, signature) <> (${after.HomeID}, ${after.Signature})
        order by updated_at desc, home_id, signature offset ${MAX_IMPORT_PROFILES - 1}::int)`)
    context.audit({ input: summaryOf(input), before: before && summaryOf(before), after: summaryOf(after) })
    return after
  },

  deleteImportProfile: async (key, context) => {
    const { db, actor } = context
    await lockHome(db, actor.tenant, key.HomeID)
    const before = await readProfile(key, context)
    if (!before) throw new GatewayError('NOT_FOUND', `Import profile ${key.Signature} does not exist`)
    await db.query(sql`delete from import_profiles
      where tenant = ${actor.tenant} and home_id = ${key.HomeID} and signature = ${key.Signature}`)
    context.audit({ before: summaryOf(before) })
    return key
  },
}

/** Profile for the audit, with the number of its meters. */
const summaryOf = <P extends Pick<ImportProfile, 'Meters'>>({ Meters, ...profile }: P) => ({
  ...profile,
  Meters: Meters.length,
})

/** Reads a profile and locks it until the transaction ends; undefined if there is none. */
async function readProfile(
  { HomeID, Signature }: Pick<ImportProfile, 'HomeID' | 'Signature'>,
  { db, actor }: SignedIn,
): Promise<ImportProfile | undefined> {
  const [profile] = await db.query<ImportProfile>(sql`select ${columnsOf(ImportProfile)} from import_profiles
    where tenant = ${actor.tenant} and home_id = ${HomeID} and signature = ${Signature} for update`)
  return profile
}

/** Asserts that the meters are devices of the home. Errors: NOT_FOUND with the position of one that is not. */
async function assertMeters(
  { HomeID, Meters }: Pick<ImportProfile, 'HomeID' | 'Meters'>,
  { db, actor }: SignedIn,
): Promise<void> {
  const uids = Meters.map(({ MeterID }) => deviceOfMeter(MeterID).PeripheralUID)
  const found = await db.query<{ uid: string }>(sql`select peripheral_uid as uid from peripherals
    where tenant = ${actor.tenant} and home_id = ${HomeID} and peripheral_uid = any(${uids}::text[])`)
  const existing = new Set(found.map(({ uid }) => uid))
  const missing = uids.findIndex((uid) => !existing.has(uid))
  if (missing >= 0)
    throw new GatewayError('NOT_FOUND', `Meter ${Meters[missing]?.MeterID} does not exist`, {
      [`Meters.${missing}.MeterID`]: 'notFound',
    })
}
