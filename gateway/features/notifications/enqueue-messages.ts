import { type NewDelivery, discardTopics, enqueue } from '../../deliveries/store.ts'
import { discardMessages } from '../../deliveries/legacy.ts'
import type { Db } from '../../kernel/db.ts'
import type { MessageContent } from './digest.ts'

/** Kinds of deliveries of this feature. Dangers to life have a capacity of their own, so that no other message delays them. */
export type MessageKind = 'notification' | 'life-safety'

/** Lane of emails: they share one server. */
export const MAIL_LANE = 'mail'

/** Payload of a delivery to one target of a person or channel. */
export interface MessagePayload {
  way: 'push' | 'mail' | 'channel'
  /** Browser, CognitoId of the person to mail, or channel. */
  target: string
  /** Null for channels. */
  cognitoId: string | null
  /** Not sent once all of them are read; always sent if empty. */
  notificationIds: string[]
  content: MessageContent
}

export type NewMessage = NewDelivery<MessagePayload> & { kind: MessageKind; topic: string }

/** Enqueues messages; a new one replaces a waiting message with the same recipient and topic. */
export async function enqueueMessages(tx: Db, messages: readonly NewMessage[], now: number): Promise<void> {
  if (messages.length === 0) return
  const topics = messages.map(({ recipient, topic }) => ({ recipient, topic }))
  await discardWaiting(tx, topics, { onlyUntried: false })
  await enqueue(tx, messages, now)
}

/** Deletes waiting messages by recipient and topic. */
export async function discardWaiting(
  tx: Db,
  topics: readonly { recipient: string; topic: string }[],
  options: { onlyUntried: boolean },
): Promise<void> {
  await discardTopics(tx, topics, options)
  await discardMessages(tx, topics, options)
}
