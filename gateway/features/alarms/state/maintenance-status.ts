import { sql } from '../../../kernel/db.ts'

/** A condition that peripheral `p` is in maintenance, itself or with its hub or home. `now` in epoch ms. */
export const isInMaintenance = (now: number) => sql`exists (
  select from maintenances m where m.tenant = p.tenant and m.home_id = p.home_id and m.ended_at is null
    and m.until > ${now}::bigint and (m.scope = 'home' or m.scope = 'hub' and m.subject = p.thing_name
      or m.scope = 'device' and m.subject = p.peripheral_uid))`
