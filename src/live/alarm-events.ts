import type { AlarmMessage } from '../../contract/alarms/channels.ts'

/** An alarm message and the home that it belongs to. */
export type ReceivedAlarm = AlarmMessage & { HomeID: string }

type Listener = (news: ReceivedAlarm) => void
const listeners = new Set<Listener>()

/** Calls the listener for each alarm message, e.g. to play a sound. Returns the unsubscribe function. */
export function onAlarm(listener: Listener): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export function emitAlarm(news: ReceivedAlarm): void {
  for (const listener of [...listeners]) listener(news)
}
