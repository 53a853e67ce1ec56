import { NotificationChannel } from '../../../contract/notifications/notification-channel.ts'
import type { Sealer } from '../../lib/sealer.ts'
import { columnsOf } from '../../store/columns.ts'
import { type Db, type Sql, sql } from '../../kernel/db.ts'
import type { ChannelSecret } from './channel-secret.ts'

/** Month of a budget, in UTC like LINE's. */
export const monthOf = (at: number): string => new Date(at).toISOString().slice(0, 7)

const COLUMNS = columnsOf(NotificationChannel.omit({ SentThisMonth: true }))

export const isOne = (tenant: string, id: string): Sql =>
  sql`tenant = ${tenant} and notification_channel_id = ${id}`

export const readChannels = (db: Db, now: number, where: Sql): Promise<NotificationChannel[]> =>
  db.query<NotificationChannel>(sql`
    select ${COLUMNS}, case when month = ${monthOf(now)} then sent else 0 end as "SentThisMonth"
    from notification_channels where ${where} order by lower(channel_name)`)

/** Encryption context: a secret of one channel cannot be decrypted as another's. */
const contextOf = (tenant: string, id: string): string => `${tenant}/${id}`

export const sealSecret = (sealer: Sealer, tenant: string, id: string, secret: ChannelSecret): string =>
  sealer.seal(JSON.stringify(secret), contextOf(tenant, id))

export const openSecret = (sealer: Sealer, tenant: string, id: string, sealed: string): ChannelSecret =>
  JSON.parse(sealer.open(sealed, contextOf(tenant, id))) as ChannelSecret
