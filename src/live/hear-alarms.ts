import type { AlarmNews } from '../../contract/channels/alarm.ts'

/** What became of an alarm of a home. */
export type HeardAlarm = AlarmNews & { HomeID: string }

type Listener = (news: HeardAlarm) => void
const listeners = new Set<Listener>()

/** Hears what becomes of alarms at the moment it does, e.g. to sound; what they say, `/ListAlarm` answers. */
export function hearAlarms(listener: Listener): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export function passOnAlarm(news: HeardAlarm): void {
  for (const listener of [...listeners]) listener(news)
}
