import type { Access } from '../../../contract/kernel/permissions.ts'
import type { Notification, NotificationKind } from '../../../contract/notifications/calls.ts'
import type { NotificationCategory, NotificationSeverity } from '../../../contract/notifications/settings.ts'
import type { Db } from '../../store/db.ts'

/** Who is to be told: everybody with this right, or of them these people and the people of these departments. */
export interface NotificationAudience {
  access: Access
  users?: readonly string[]
  departments?: readonly string[]
  /** Channels of the company that hear of it as well, whatever they want to hear otherwise. */
  channels?: readonly string[]
}

/** Something that people are to be told, before anybody has decided who hears it in which way. */
export interface NotificationEvent {
  tenant: string
  homeId: string | null
  category: NotificationCategory
  severity: NotificationSeverity
  kind: NotificationKind
  alarmId: string | null
  /** What fills the sentence of its kind. */
  values: Notification['Values']
  path: string | null
  to: NotificationAudience
  /** A later message of the same topic replaces one that waits, e.g. `alarm:<AlarmID>`; null stands by itself. */
  topic: string | null
  /** When it happened, epoch ms. */
  at: number
  /** Only for the history: nothing is sent. */
  unsent?: boolean
  /** Whether the message offers to acknowledge the alarm. */
  canAcknowledge?: boolean
}

/** Notes what people are to be told, in the transaction in which it happened. It is sent once that is committed. */
export type Notify = (tx: Db, notices: readonly NotificationEvent[]) => Promise<void>

/** How many people of a company are among an audience, as of now. */
export type CountRecipients = (db: Db, tenant: string, to: NotificationAudience) => Promise<number>

/** A notice as one recipient is sent it: whole sentences in their language. */
export interface OutgoingMessage {
  /** A UUID, the same at each attempt: the other side can tell that it has it already. */
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
  /** A link that acknowledges the alarm, once; null where none is offered. */
  acknowledgeToken: string | null
  /** How much the reader has not read by now, this included: shown at the application's icon. Null where nobody counts. */
  unread: number | null
  /** Whether it endangers life, so that no budget holds it back. */
  isLifeSafety?: boolean
  language: 'zh-TW' | 'en-US'
  at: number
}

/** What came of a message: gone and failed are not tried again, the others when their time comes. */
export type DeliveryOutcome =
  | { is: 'sent' }
  | { is: 'gone' }
  | { is: 'failed'; reason: string }
  /** after  ms that the other side asks to wait; null where it does not say. */
  | { is: 'retry'; after: number | null }

/** One way out: what it reaches, and how a message goes there. */
export interface NotificationTransport {
  /**
   * Where messages to these people go, e.g. their browsers; people without any are left out.
   *
   * people   CognitoIds
   * returns  service: what a target is reached through, e.g. the host of a push service. Of one not more than two messages are
   *          under way, so that none that is slow holds up the others
   */
  targetsOf(
    tx: Db,
    tenant: string,
    people: readonly string[],
  ): Promise<{ person: string; target: string; service?: string }[]>
  /** Sends one message to one target; never throws for what the other side does. */
  send(tenant: string, target: string, message: OutgoingMessage): Promise<DeliveryOutcome>
}

/** A way that belongs to a company and not to a person. */
export interface CompanyTransport extends Pick<NotificationTransport, 'send'> {
  /** Its targets that want a notice, with the language of each. */
  targetsFor(
    tx: Db,
    notice: NotificationEvent,
  ): Promise<{ target: string; language: OutgoingMessage['language'] }[]>
}
