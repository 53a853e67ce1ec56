import {
  NotificationChannel,
  type ChannelKind,
} from '../../../contract/notifications/notification-channel.ts'
import type { Sealer } from '../../lib/seal.ts'
import { columnsOf } from '../../store/sql.ts'
import { type Db, type Sql, sql } from '../../kernel/db.ts'
import { GatewayError } from '../../kernel/errors.ts'

/** Address and credentials of a channel. */
export interface ChannelSecret {
  Address?: string | undefined
  Token?: string | undefined
  Target?: string | undefined
}

/** Parts that each kind needs; others are not allowed. */
const PARTS: Readonly<Record<ChannelKind, readonly (keyof ChannelSecret)[]>> = {
  line: ['Token', 'Target'],
  teams: ['Address'],
  webhook: ['Address', 'Token'],
}

/** Errors: INVALID naming the part that is missing or not allowed for the kind. */
export function assertSecretParts(kind: ChannelKind, secret: ChannelSecret): void {
  for (const part of ['Address', 'Token', 'Target'] as const) {
    const isNeeded = PARTS[kind].includes(part)
    if (isNeeded === Boolean(secret[part])) continue
    const reason = isNeeded ? 'required' : 'invalid'
    throw new GatewayError('INVALID', `A channel of kind ${kind} and its ${part}`, { [part]: reason })
  }
}

/** Recognizable part of a secret: the host of an address, the end of a target. */
export const maskedSecret = ({ Address, Target }: ChannelSecret): string =>
  Address ? new URL(Address).host : `…${(Target ?? '').slice(-4)}`

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
