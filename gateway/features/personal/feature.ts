import type { Feature } from '../../kernel/feature.ts'
import {
  DEFAULT_PERSONAL_CONFIG,
  PersonalConfig,
  type personal as personalCalls,
} from '../../../contract/people/personal-calls.ts'
import { readSettings } from '../../domain/notifications/read-settings.ts'
import type { HandlersOf } from '../../kernel/context.ts'
import { assertUnchanged } from '../../lib/assert-version.ts'
import { columnsOf } from '../../store/sql.ts'
import { type Db, sql } from '../../kernel/db.ts'

const personalHandlers: HandlersOf<typeof personalCalls> = {
  getPersonalConfig: (_, { db, actor }) => readPersonalConfig(db, actor.cognitoId),

  updatePersonalConfig: async ({ Seen, ...changes }, context) => {
    const { db, actor } = context
    // Locks the person, as their settings may have no row yet and two screens may write at once.
    await db.query(sql`select 1 from users where cognito_id = ${actor.cognitoId} for no key update`)
    const before = await readPersonalConfig(db, actor.cognitoId)
    assertUnchanged(Seen, before)
    const config: PersonalConfig = { ...before, ...changes }
    await db.query(sql`insert into personal_configs
        (tenant, cognito_id, notification, notifications, custom_dashboard, decimal_precision, language, start_page, setup, saved_views)
      values (${actor.tenant}, ${actor.cognitoId}, ${config.Notification},
        ${JSON.stringify(config.Notifications)}, ${config.CustomDashboard}, ${config.DecimalPrecision}, ${config.Language},
        ${config.StartPage}, ${JSON.stringify(config.Setup)}, ${JSON.stringify(config.SavedViews)})
      on conflict (cognito_id) do update set notification = excluded.notification,
        notifications = excluded.notifications,
        custom_dashboard = excluded.custom_dashboard, decimal_precision = excluded.decimal_precision,
        language = excluded.language, start_page = excluded.start_page, setup = excluded.setup, saved_views = excluded.saved_views`)
    context.emit('personalConfigChanged', { tenant: actor.tenant, cognitoId: actor.cognitoId, config })
    context.audit({ before, after: config })
    return config
  },
}

async function readPersonalConfig(db: Db, cognitoId: string): Promise<PersonalConfig> {
  const [stored] = await db.query<PersonalConfig>(
    sql`select ${columnsOf(PersonalConfig)} from personal_configs where cognito_id = ${cognitoId}`,
  )
  return stored
    ? {
        ...stored,
        Notifications: readSettings(stored.Notifications),
        Setup: stored.Setup ?? DEFAULT_PERSONAL_CONFIG.Setup,
      }
    : DEFAULT_PERSONAL_CONFIG
}

export const personal = () => ({ handlers: { personal: personalHandlers } }) satisfies Feature
