import type { ShadowName } from '../../../../contract/devices/shadow-names.ts'
import { type Db, sql } from '../../../kernel/db.ts'
import { apply, type Document, MAX_BYTES, type Patch, sizeOf } from './document.ts'
import { ShadowError } from './request.ts'

export interface StoredShadow extends Document {
  version: number
  updatedAt: number
}

export interface ShadowKey {
  tenant: string
  thingName: string
  shadowName: ShadowName
}

const NO_SHADOW = ({ thingName, shadowName }: ShadowKey) =>
  `No shadow exists with name: '${thingName}~${shadowName}'`

/** A shadow; ShadowError 404 if it was never updated. */
export async function readShadow(db: Db, key: ShadowKey): Promise<StoredShadow> {
  const [row] = await db.query<StoredShadow>(sql`
    select desired, reported, metadata, version, updated_at as "updatedAt" from shadows
    where tenant = ${key.tenant} and thing_name = ${key.thingName} and shadow_name = ${key.shadowName} and version > 0`)
  if (!row) throw new ShadowError(404, NO_SHADOW(key))
  return row
}

/**
 * Applies an update under the shadow's row lock; call it in a transaction.
 *
 * version   version that the sender expects; undefined accepts any
 * at        epoch ms
 * errors    ShadowError 404 for a hub that does not exist, 409 for another version, 413 above 8 KB
 */
export async function updateShadow(
  tx: Db,
  key: ShadowKey,
  request: { patch: Patch; version?: number | undefined },
  at: number,
): Promise<StoredShadow> {
  const { tenant, thingName, shadowName } = key
  await tx.query(sql`
    insert into shadows (tenant, thing_name, shadow_name, updated_at)
    select tenant, thing_name, ${shadowName}, ${at} from things where tenant = ${tenant} and thing_name = ${thingName}
    on conflict do nothing`)
  const [before] = await tx.query<StoredShadow>(sql`
    select desired, reported, metadata, version, updated_at as "updatedAt" from shadows
    where tenant = ${tenant} and thing_name = ${thingName} and shadow_name = ${shadowName} for update`)
  if (!before) throw new ShadowError(404, NO_SHADOW(key))
  if (request.version !== undefined && request.version !== before.version)
    throw new ShadowError(409, 'Version conflict')
  const after = apply(before, request.patch, Math.floor(at / 1000))
  if (sizeOf(after) > MAX_BYTES) throw new ShadowError(413, 'The payload exceeds the maximum size allowed')
  const version = before.version + 1
  await tx.query(sql`
    update shadows set version = ${version}, updated_at = ${at}, metadata = ${JSON.stringify(after.metadata)}::jsonb,
      desired = ${after.desired && JSON.stringify(after.desired)}::jsonb,
      reported = ${after.reported && JSON.stringify(after.reported)}::jsonb
    where thing_name = ${thingName} and shadow_name = ${shadowName}`)
  return { ...after, version, updatedAt: at }
}
