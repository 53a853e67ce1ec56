import type { Access } from '../../../contract/kernel/permissions.ts'
import type { Notification } from '../../../contract/notifications/calls.ts'
import {
  NOTIFICATION_SEVERITIES,
  type NotificationSettings,
  type NotificationSeverity,
} from '../../../contract/notifications/settings.ts'
import { isLifeSafety, type NotificationEvent } from '../../domain/notifications/notification-transport.ts'

/**
 * Prefix of the topics of messages about danger to life: each has a topic of its own, so that no later message replaces it.
 */
export const LIFE_TOPIC = 'life:'

/** Content of a notice, as stored until it is sent. */
export interface Content {
  alarmId: string | null
  values: Notification['Values']
  path: string | null
  access: Access
  at: number
  canAcknowledge: boolean
}

/** Reason for holding a draft beyond the time that gathers related ones: quiet hours, a flood of alarms, or the hourly limit. */
export type HoldReason = 'quiet' | 'flood' | 'hour'

/** Whether a draft is about danger to life: it is sent immediately and separately, and exempt from all limits. */
export const isOfLifeSafety = ({ kind, content: { values } }: Pick<Draft, 'kind' | 'content'>): boolean =>
  isLifeSafety({ kind, values })

/** A notice that waits to be sent to one recipient. */
export interface Draft extends Pick<
  NotificationEvent,
  'category' | 'severity' | 'kind' | 'homeId' | 'topic'
> {
  draftId: number
  noticeId: number
  /** Null for channels. */
  notificationId: string | null
  held: HoldReason | null
  content: Content
}

const weight = (severity: NotificationSeverity) => NOTIFICATION_SEVERITIES.indexOf(severity)

/** The highest severity. */
export const worstOf = (all: readonly { severity: NotificationSeverity }[]): NotificationSeverity =>
  all.reduce<NotificationSeverity>(
    (worst, { severity }) => (weight(severity) < weight(worst) ? severity : worst),
    'info',
  )

/** Fields that determine the effective severity of a notice. */
export type WeightedNotice = Pick<NotificationEvent, 'severity' | 'kind' | 'values'>

/**
 * Severity by which recipients are selected: the end of an alarm goes to those who received its start, although it is only informational.
 */
export function weightOf({ severity, kind, values }: WeightedNotice): NotificationSeverity {
  const alarm = values['severity']
  return kind === 'alarmCleared' && (alarm === 'critical' || alarm === 'warning') ? alarm : severity
}

/** Whether a person wants such a notice by any transport. */
export const isNeeded = (
  {
    pushes,
    settings: { Categories, Least, TellCleared },
  }: { pushes: boolean; settings: NotificationSettings },
  { category, kind, ...notice }: WeightedNotice & Pick<NotificationEvent, 'category'>,
): boolean =>
  weight(weightOf({ kind, ...notice })) <= weight(Least) &&
  (kind !== 'alarmCleared' || TellCleared) &&
  ((pushes && Categories[category].Push) || Categories[category].Mail)
