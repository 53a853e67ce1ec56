import { right } from '../../../../contract/kernel/permissions.ts'
import {
  type AutomationProblem,
  type AutomationType,
  FEATURE_OF_TYPE,
} from '../../../../contract/automation/automation.ts'
import type { NotifySettings } from '../../../../contract/automation/alarm-part.ts'
import type {
  NotificationAudience,
  NotificationEvent,
  Notify,
} from '../../../domain/notifications/notification-transport.ts'
import { type Db, sql } from '../../../kernel/db.ts'
import { STATE_OF_PROBLEM } from '../rules/stored-rule.ts'

export interface NotifiedRule {
  tenant: string
  homeId: string
  automationId: string
  type: AutomationType
  name: string
}

export function editorPath({ type, homeId, automationId }: NotifiedRule): string {
  const page = type === 4 ? 'updateAlarm' : type === 1 || type === 2 ? 'updateSchedule' : 'updateSmartLink'
  return `/${page}/${encodeURIComponent(homeId)}/${encodeURIComponent(automationId)}`
}

/**
 * Notifies about a rule, in the transaction of the event; notices of a rule share a topic, so that a later one replaces a queued one.
 *
 * values  in addition to `subject`, the rule's name, and `home`, the name of its home
 */
async function notifyAbout(
  notify: Notify,
  tx: Db,
  rule: NotifiedRule,
  notice: Pick<NotificationEvent, 'kind' | 'severity' | 'at'> & {
    values?: NotificationEvent['values']
    to: Omit<NotificationAudience, 'access'>
  },
): Promise<void> {
  const { tenant, homeId, automationId, type, name } = rule
  const { values, to, ...fields } = notice
  await notify(tx, [
    {
      tenant,
      homeId,
      category: 'automation',
      alarmId: null,
      values: { subject: name, home: await homeName(tx, rule), ...values },
      path: editorPath(rule),
      to: { access: right(FEATURE_OF_TYPE[type], 'Read'), ...to },
      topic: `rule:${automationId}`,
      ...fields,
    },
  ])
}

async function homeName(
  tx: Db,
  { tenant, homeId }: Pick<NotifiedRule, 'tenant' | 'homeId'>,
): Promise<string> {
  const [home] = await tx.query<{ name: string }>(
    sql`select home_name as name from homes where tenant = ${tenant} and home_id = ${homeId}`,
  )
  return home?.name ?? ''
}

const audienceOf = ({ To }: NotifySettings): Omit<NotificationAudience, 'access'> =>
  To === 'readers' ? {} : { users: To.Users, departments: To.Departments.map(String) }

/** Notifies the rule's recipients that it runs; alarms have their own notifications. */
export async function notifyRan(
  notify: Notify,
  tx: Db,
  rule: NotifiedRule,
  settings: NotifySettings | null | undefined,
  at: number,
): Promise<void> {
  if (!settings || rule.type === 4) return
  const values = { text: settings.Text === '' ? null : settings.Text }
  await notifyAbout(notify, tx, rule, {
    kind: 'ruleRan',
    severity: 'info',
    at,
    values,
    to: audienceOf(settings),
  })
}

/** Notifies the rule's recipients that `failed` of `total` devices were not set. */
export async function notifyFailed(
  notify: Notify,
  tx: Db,
  rule: NotifiedRule,
  settings: NotifySettings | null | undefined,
  { at, failed, total }: { at: number; failed: number; total: number },
): Promise<void> {
  if (!settings || rule.type === 4) return
  const to = audienceOf(settings)
  await notifyAbout(notify, tx, rule, {
    kind: 'ruleFailed',
    severity: 'warning',
    at,
    values: { failed, total },
    to,
  })
}

const KIND_OF_STATE = { broken: 'ruleBroken', suspended: 'ruleSuspended', paused: 'ruleRests' } as const

/** Notifies the owner that a rule no longer acts: values `reason` (of AutomationProblem), `about` (its Subject) and `until`, epoch ms. */
export async function notifyProblem(
  notify: Notify,
  tx: Db,
  rule: NotifiedRule & { ownerId: string | null },
  { Reason, Subject, Since, Until }: AutomationProblem,
): Promise<void> {
  const { tenant, ownerId } = rule
  const owner = Reason === 'ownerGone' ? null : ownerId
  // The company's owner is notified if the rule has no owner, or its owner lacks the right.
  const users = owner === null ? [tenant] : Reason === 'noRight' ? [...new Set([owner, tenant])] : [owner]
  await notifyAbout(notify, tx, rule, {
    kind: KIND_OF_STATE[STATE_OF_PROBLEM[Reason]],
    severity: 'warning',
    at: Since,
    values: { reason: Reason, about: Subject, until: Until },
    to: { users },
  })
}

/** Notifies a person that they own a rule from now on, because its owner no longer may. */
export const notifyTransferred = (
  notify: Notify,
  tx: Db,
  rule: NotifiedRule & { ownerId: string },
  at: number,
): Promise<void> =>
  notifyAbout(notify, tx, rule, {
    kind: 'ruleHandedOver',
    severity: 'info',
    at,
    to: { users: [rule.ownerId] },
  })

/** Notifies once that schedules of a home did not run during downtime: values `subjects`, their names by line, and `count`. */
export async function notifyMissed(
  notify: Notify,
  tx: Db,
  rules: readonly (NotifiedRule & { ownerId: string | null })[],
  at: number,
): Promise<void> {
  const [first] = rules
  if (!first) return
  const { tenant, homeId } = first
  const names = [...new Map(rules.map(({ automationId, name }) => [automationId, name])).values()]
  await notify(tx, [
    {
      tenant,
      homeId,
      category: 'automation',
      severity: 'warning',
      kind: 'schedulesMissed',
      alarmId: null,
      values: { subjects: names.join('\n'), count: names.length, home: await homeName(tx, first) },
      path: `/ScheduleListing/${encodeURIComponent(homeId)}`,
      to: {
        access: right('schedule', 'Read'),
        users: [...new Set(rules.map(({ ownerId }) => ownerId ?? tenant))],
      },
      topic: `missed:${homeId}`,
      at,
    },
  ])
}
