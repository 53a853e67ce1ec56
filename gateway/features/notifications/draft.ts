import type { Access } from '../../../contract/kernel/permissions.ts'
import type { Notification } from '../../../contract/notifications/calls.ts'
import {
  NOTIFICATION_SEVERITIES,
  type NotificationSettings,
  type NotificationSeverity,
} from '../../../contract/notifications/settings.ts'
import { isLifeSafety } from '../../domain/notifications/life-safety.ts'
import type { NotificationEvent } from '../../domain/notifications/notification-transport.ts'

/** What is told of a notice, as it is kept until it is sent. */
export interface Content {
  alarmId: string | null
  values: Notification['Values']
  path: string | null
  access: Access
  at: number
  canAcknowledge: boolean
}

/** Why something waits longer than to gather what belongs together. */
export type HoldReason = 'quiet' | 'flood' | 'hour'

/** Whether a draft says that life is in danger: it is sent at once, by itself, and counts against no limit. */
export const isOfLifeSafety = ({ kind, content: { values } }: Pick<Draft, 'kind' | 'content'>): boolean =>
  isLifeSafety({ kind, values })

/** What waits to be sent to one recipient. */
export interface Draft extends Pick<
  NotificationEvent,
  'category' | 'severity' | 'kind' | 'homeId' | 'topic'
> {
  draftId: number
  noticeId: number
  /** Null of channels. */
  notificationId: string | null
  held: HoldReason | null
  content: Content
}

const weight = (severity: NotificationSeverity) => NOTIFICATION_SEVERITIES.indexOf(severity)

/** The severity of the one that weighs most. */
export const worstOf = (all: readonly { severity: NotificationSeverity }[]): NotificationSeverity =>
  all.reduce<NotificationSeverity>(
    (worst, { severity }) => (weight(severity) < weight(worst) ? severity : worst),
    'info',
  )

/** What a notice weighs by. */
export type WeightedNotice = Pick<NotificationEvent, 'severity' | 'kind' | 'values'>

/** The severity that a notice is chosen by: the end of an alarm goes to whom its beginning went, though it is only information itself. */
export function weightOf({ severity, kind, values }: WeightedNotice): NotificationSeverity {
  const alarm = values['severity']
  return kind === 'alarmCleared' && (alarm === 'critical' || alarm === 'warning') ? alarm : severity
}

/** Whether somebody wants to be sent such a notice in any way. */
export const isWanted = (
  {
    pushes,
    settings: { Categories, Least, TellCleared },
  }: { pushes: boolean; settings: NotificationSettings },
  { category, kind, ...told }: WeightedNotice & Pick<NotificationEvent, 'category'>,
): boolean =>
  weight(weightOf({ kind, ...told })) <= weight(Least) &&
  (kind !== 'alarmCleared' || TellCleared) &&
  ((pushes && Categories[category].Push) || Categories[category].Mail)
