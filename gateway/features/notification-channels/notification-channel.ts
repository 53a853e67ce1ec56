import {
  MAX_NOTIFICATION_CHANNELS,
  type NotificationChannel,
  type notificationChannel,
} from '../../../contract/notifications/notification-channel.ts'
import type { HandlersOf, SignedIn } from '../../kernel/context.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { assertVersion } from '../../lib/assert-version.ts'
import type { Sealer } from '../../lib/seal.ts'
import { conflictOnUniqueViolation } from '../../store/database-errors.ts'
import { assignmentsOf } from '../../store/sql.ts'
import { type Db, sql } from '../../kernel/db.ts'
import { maskedSecret, assertSecretParts, isOne, openSecret, readChannels, sealSecret } from './store.ts'
import type { WebhookClient } from './webhook-client.ts'

const TAKEN = 'Another channel already has that name'

/** Channels of a company. Their secrets are stored encrypted, and are in no answer and no audit row. */
export const notificationChannelHandlers = (
  sealer: Sealer,
  outside: Pick<WebhookClient, 'assertAddressAllowed'>,
): HandlersOf<typeof notificationChannel.operations> => ({
  list: (_, { db, actor, clock }) => readChannels(db, clock.now(), sql`tenant = ${actor.tenant}`),

  create: async ({ Address, Token, Target, ...input }, context) => {
    const { db, actor, random, clock } = context
    const secret = { Address, Token, Target }
    assertSecretParts(input.Kind, secret)
    if (Address) await outside.assertAddressAllowed(Address)
    await assertHomes(db, actor.tenant, input.HomeIDs)
    await db.query(sql`select from companies where tenant = ${actor.tenant} for no key update`)
    const [count] = await db.query<{ all: number }>(
      sql`select count(*) as all from notification_channels where tenant = ${actor.tenant}`,
    )
    if ((count?.all ?? 0) >= MAX_NOTIFICATION_CHANNELS)
      throw new GatewayError('LIMIT_EXCEEDED', `A company has at most ${MAX_NOTIFICATION_CHANNELS} channels`)
    const id = random.uuid()
    const sealed = sealSecret(sealer, actor.tenant, id, secret)
    await conflictOnUniqueViolation(
      'ChannelName',
      TAKEN,
      db.query(sql`
        insert into notification_channels (tenant, notification_channel_id, channel_name, kind, enabled, language, categories,
          least, home_ids, monthly_budget, secret, hint)
        values (${actor.tenant}, ${id}, ${input.ChannelName}, ${input.Kind}, ${input.Enabled}, ${input.Language},
          ${JSON.stringify(input.Categories)}::jsonb, ${input.Least}, ${JSON.stringify(input.HomeIDs)}::jsonb,
          ${input.MonthlyBudget}::int, ${sealed}, ${maskedSecret(secret)})`),
    )
    const [record] = await readChannels(db, clock.now(), isOne(actor.tenant, id))
    context.change('notificationChannel.add', { NotificationChannelID: id })
    context.audit({ after: record })
    return record as NotificationChannel
  },

  update: async (
    { NotificationChannelID: id, Version, Kind, Address, Token, Target, ...changes },
    context,
  ) => {
    const { db, actor, clock } = context
    const { before, sealed } = await lockChannel(id, context)
    assertVersion(Version, before)
    if (Kind !== undefined && Kind !== before.Kind)
      throw new GatewayError('INVALID', 'A channel keeps its kind', { Kind: 'readOnly' })
    const old = openSecret(sealer, actor.tenant, id, sealed)
    const secret = {
      Address: Address ?? old.Address,
      Token: Token ?? old.Token,
      Target: Target ?? old.Target,
    }
    assertSecretParts(before.Kind, secret)
    if (Address) await outside.assertAddressAllowed(Address)
    if (changes.HomeIDs) await assertHomes(db, actor.tenant, changes.HomeIDs)
    const { Categories, HomeIDs, ...plain } = changes
    const assigned = {
      ...plain,
      ...(Categories && { Categories: JSON.stringify(Categories) }),
      ...(HomeIDs && { HomeIDs: JSON.stringify(HomeIDs) }),
      Secret: sealSecret(sealer, actor.tenant, id, secret),
      Hint: maskedSecret(secret),
      Version: before.Version + 1,
    }
    await conflictOnUniqueViolation(
      'ChannelName',
      TAKEN,
      db.query(
        sql`update notification_channels set ${assignmentsOf(assigned)} where ${isOne(actor.tenant, id)}`,
      ),
    )
    const [after] = await readChannels(db, clock.now(), isOne(actor.tenant, id))
    context.change('notificationChannel.update', { NotificationChannelID: id })
    context.audit({ before, after })
    return after as NotificationChannel
  },

  remove: async ({ NotificationChannelID: id }, context) => {
    const { db, actor } = context
    const { before } = await lockChannel(id, context)
    await db.query(sql`delete from notification_channels where ${isOne(actor.tenant, id)}`)
    context.change('notificationChannel.remove', { NotificationChannelID: id })
    context.audit({ before })
    return { NotificationChannelID: id }
  },
})

/** Reads a channel with its encrypted secret and locks it until the transaction ends. Errors: NOT_FOUND. */
export async function lockChannel(
  id: string,
  { db, actor, clock }: Pick<SignedIn, 'db' | 'actor' | 'clock'>,
): Promise<{ before: NotificationChannel; sealed: string; testedAt: number | null }> {
  const [held] = await db.query<{ sealed: string; testedAt: number | null }>(sql`
    select secret as sealed, tested_at as "testedAt" from notification_channels
    where ${isOne(actor.tenant, id)} for update`)
  const [before] = await readChannels(db, clock.now(), isOne(actor.tenant, id))
  if (!held || !before) throw new GatewayError('NOT_FOUND', `Channel ${id} does not exist`)
  return { before, ...held }
}

/** Errors: NOT_FOUND naming the first home that the company does not have. */
async function assertHomes(db: Db, tenant: string, ids: readonly string[]): Promise<void> {
  const rows = await db.query<{ id: string }>(
    sql`select home_id as id from homes where tenant = ${tenant} and home_id = any(${[...ids]}::text[])`,
  )
  const known = new Set(rows.map(({ id }) => id))
  const unknownIndex = ids.findIndex((id) => !known.has(id))
  if (unknownIndex >= 0)
    throw new GatewayError('NOT_FOUND', `Home ${ids[unknownIndex]} does not exist`, {
      [`HomeIDs.${unknownIndex}`]: 'notFound',
    })
}
