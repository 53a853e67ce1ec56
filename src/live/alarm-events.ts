import type { AlarmMessage } from '../../contract/alarms/channels.ts'

/** What became of an alarm of a home. */
export type ReceivedAlarm = AlarmMessage & { HomeID: string }

type Listener = (news: ReceivedAlarm) => void
const listeners = new Set<Listener>()

/** Hears what becomes of alarms at the moment it does, e.g. to sound; what they say, `/ListAlarm` answers. */
export function onAlarm(listener: Listener): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export function emitAlarm(news: ReceivedAlarm): void {
  for (const listener of [...listeners]) listener(news)
}
