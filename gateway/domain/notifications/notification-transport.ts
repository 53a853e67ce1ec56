import type { Access } from '../../../contract/kernel/permissions.ts'
import type { Notification, NotificationKind } from '../../../contract/notifications/calls.ts'
import type { NotificationCategory, NotificationSeverity } from '../../../contract/notifications/settings.ts'
import type { Db } from '../../kernel/db.ts'

/** Recipients: all users with this right, or among them these users and those of these departments. */
export interface NotificationAudience {
  access: Access
  users?: readonly string[]
  departments?: readonly string[]
  /** Channels of the company that receive it in addition, regardless of their filters. */
  channels?: readonly string[]
}

/** Notification before its recipients and transports are determined. */
export interface NotificationEvent {
  tenant: string
  homeId: string | null
  category: NotificationCategory
  severity: NotificationSeverity
  kind: NotificationKind
  alarmId: string | null
  /** Values of its kind's sentence. */
  values: Notification['Values']
  path: string | null
  to: NotificationAudience
  /** A later message of the same topic replaces a queued one, e.g. `alarm:<AlarmID>`; null is never replaced. */
  topic: string | null
  /** Time of the event, epoch ms. */
  at: number
  /** History only: not sent. */
  unsent?: boolean
  /** Whether the message offers to acknowledge the alarm. */
  canAcknowledge?: boolean
}

/** Stores notifications in the transaction of their event. They are sent after the commit. */
export type Notify = (tx: Db, notices: readonly NotificationEvent[]) => Promise<void>

/** Number of a company's users that an audience includes at present. */
export type CountRecipients = (db: Db, tenant: string, to: NotificationAudience) => Promise<number>

/** Notification for one recipient: whole sentences in their language. */
export interface OutgoingMessage {
  /** UUID, constant across attempts, so that the receiver can detect duplicates. */
  id: string
  notificationId: string | null
  title: string
  body: string
  path: string | null
  topic: string | null
  category: NotificationCategory
  severity: NotificationSeverity
  homeId: string | null
  alarmId: string | null
  /** Token of a link that acknowledges the alarm, once; null if not offered. */
  acknowledgeToken: string | null
  /** Number of unread notifications including this one, shown on the app icon. Null if not counted. */
  unread: number | null
  /** Whether the message concerns danger to life, so that no budget applies. */
  isLifeSafety?: boolean
  language: 'zh-TW' | 'en-US'
  at: number
}

/** Result of sending: gone and failed are final, retry is attempted again later. */
export type DeliveryOutcome =
  | { status: 'sent' }
  | { status: 'gone' }
  | { status: 'failed'; reason: string }
  /** after  delay in ms that the receiver requests; null if none. */
  | { status: 'retry'; after: number | null }

/** Notification transport, e.g. push or email. */
export interface NotificationTransport {
  /**
   * Targets of users, e.g. their browsers; users without any are omitted.
   *
   * people   CognitoIds
   * returns  service: the service behind a target, e.g. the host of a push service. At most two messages per service are in flight, so
   *          that a slow one does not delay others
   */
  readTargets(
    tx: Db,
    tenant: string,
    people: readonly string[],
  ): Promise<{ person: string; target: string; service?: string }[]>
  /** Sends one message to one target; never throws for errors of the receiver. */
  send(tenant: string, target: string, message: OutgoingMessage): Promise<DeliveryOutcome>
}

/** Transport of a company instead of a user. */
export interface CompanyTransport extends Pick<NotificationTransport, 'send'> {
  /** Targets that subscribe to a notification, with their languages. */
  readSubscribedTargets(
    tx: Db,
    notice: NotificationEvent,
  ): Promise<{ target: string; language: OutgoingMessage['language'] }[]>
}

/** Set to 1 in the Values of notifications on alarms that endanger life: fire, smoke, gas, a water leak, a call for help. */
export const LIFE_SAFETY = 'lifeSafety'

/** Whether a notification reports danger to life, so that it is sent immediately and individually. The end of the danger does not count. */
export const isLifeSafety = ({
  kind,
  values,
}: {
  kind: Notification['Kind']
  values: Notification['Values']
}): boolean => values[LIFE_SAFETY] === 1 && kind !== 'alarmCleared'
