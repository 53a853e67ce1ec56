import type { AlarmSeverity } from '../../../../contract/kernel/severity.ts'

/**
 * Time after clearing in which an alarm that is raised again is reopened, ms: its cause was not fixed, and a second
 * row would suggest two faults. A product decision; as long as the window in which raises are counted for chattering.
 */
export const REOPEN_WINDOW_MS = 600_000
/**
 * An alarm chatters when it is raised this number of times within this time, ms. Three in a minute is the usual
 * figure for a chattering alarm (ISA-18.2, as it is quoted). Six in ten minutes covers slower ones, e.g. a float in a
 * tank. A product decision, the same for all sites: no person can respond six times in ten minutes.
 */
export const CHATTER_LIMITS = [
  { raises: 3, withinMs: 60_000 },
  { raises: 6, withinMs: 600_000 },
] as const
/** Time without a raise after which an alarm no longer chatters, ms: the longer window. */
export const CHATTER_QUIET_MS = 600_000
const MAX_RAISES = Math.max(...CHATTER_LIMITS.map(({ raises }) => raises))

/** State of an alarm's life. Times are epoch ms. */
export interface AlarmLife {
  severity: AlarmSeverity
  count: number
  /** Last times at which it was raised or became worse, ascending. */
  raises: readonly number[]
  isChattering: boolean
  /** Whether people were notified that it is open. */
  isNotified: boolean
  isAcknowledged: boolean
  isShelved: boolean
  /** Whether another alarm explains it: no notifications are sent. */
  isInhibited: boolean
  cleared: { at: number; isByPerson: boolean } | null
}

/** Standing of an alarm: cleared takes precedence over shelved, and shelved over acknowledged. */
export type AlarmState = 'raised' | 'acknowledged' | 'shelved' | 'cleared'

export const stateOfLife = ({ cleared, isShelved, isAcknowledged }: AlarmLife): AlarmState =>
  cleared ? 'cleared' : isShelved ? 'shelved' : isAcknowledged ? 'acknowledged' : 'raised'

/** Allowed changes of standing, in addition to none. An acknowledged alarm that becomes worse is cleared, and a new one is raised. */
export const TRANSITIONS: Readonly<Record<AlarmState, readonly AlarmState[]>> = {
  raised: ['acknowledged', 'shelved', 'cleared'],
  acknowledged: ['raised', 'shelved', 'cleared'],
  shelved: ['raised', 'acknowledged', 'cleared'],
  cleared: ['raised', 'acknowledged', 'shelved'],
}

export type AlarmEvent =
  /**
   * isMuted: no notification is sent, because the report is late, or its subject is in maintenance
   * isInhibited: another alarm explains it; unset keeps the previous value
   * isFire: it endangers life, and is sent however often it is raised
   */
  | {
      type: 'raise'
      severity: AlarmSeverity
      at: number
      isMuted: boolean
      isInhibited?: boolean
      isFire?: boolean
    }
  /** isWorse: more severe, or another field is affected. isFire: it endangers life more than before. */
  | {
      type: 'change'
      severity: AlarmSeverity
      isWorse: boolean
      at: number
      isMuted: boolean
      isFire?: boolean
    }
  /** isFire: the danger to life is over. */
  | { type: 'clear'; at: number; isMuted: boolean; isFire?: boolean }
  | { type: 'acknowledge' }
  | { type: 'unacknowledge' }
  | { type: 'shelve' }
  | { type: 'unshelve'; isFire?: boolean }
  /** The shelving has expired. */
  | { type: 'shelfEnds'; isFire?: boolean }
  | { type: 'clearByPerson'; at: number }
  | { type: 'inhibit'; isInhibited: boolean }
  /** A check whether it still chatters. */
  | { type: 'look'; at: number }

/** Notification that results from a step; unsent ones are only in the history. */
export interface NotificationEffect {
  kind: 'alarmRaised' | 'alarmChanged' | 'alarmCleared' | 'alarmChattering'
  isSent: boolean
}

export interface AlarmLifeStep {
  /** The alarm afterwards; null if there was none. */
  updated: AlarmLife | null
  /** A new alarm that begins. */
  added: AlarmLife | null
  /** About `added` if there is one, otherwise about `updated`. */
  notification: NotificationEffect | null
}

const unchanged = (updated: AlarmLife | null): AlarmLifeStep => ({ updated, added: null, notification: null })

/**
 * Result of an event on an alarm.
 *
 * life     the newest alarm of its source, open or cleared; undefined if it has none
 * returns  undefined if the event is not allowed: nothing changes, and an action of a person fails
 */
export function nextAlarmLife(life: AlarmLife | undefined, event: AlarmEvent): AlarmLifeStep | undefined {
  if (event.type === 'raise') return raise(life, event)
  if (!life) return undefined
  if (event.type === 'look') return unchanged(resetChatter(life, event.at))
  if (life.cleared) return event.type === 'shelfEnds' ? unchanged({ ...life, isShelved: false }) : undefined
  switch (event.type) {
    case 'change':
      return change(life, event)
    case 'clear':
      return clear(life, event)
    case 'acknowledge':
      return life.isAcknowledged ? undefined : unchanged({ ...life, isAcknowledged: true })
    case 'unacknowledge':
      return life.isAcknowledged ? unchanged({ ...life, isAcknowledged: false }) : undefined
    case 'shelve':
      return life.isShelved ? undefined : unchanged({ ...life, isShelved: true })
    case 'unshelve':
      return life.isShelved ? unshelve(life, !life.isNotified, event.isFire) : undefined
    case 'shelfEnds':
      return life.isShelved ? unshelve(life, true, event.isFire) : undefined
    case 'clearByPerson':
      return unchanged({ ...life, isNotified: false, cleared: { at: event.at, isByPerson: true } })
    case 'inhibit':
      return inhibit(life, event.isInhibited)
  }
}

function raise(
  life: AlarmLife | undefined,
  {
    severity,
    at,
    isMuted,
    isInhibited = life?.cleared ? life.isInhibited : false,
    isFire = false,
  }: Extract<AlarmEvent, { type: 'raise' }>,
): AlarmLifeStep | undefined {
  if (life && !life.cleared) return undefined
  if (!life?.cleared || life.cleared.isByPerson || at - life.cleared.at > REOPEN_WINDOW_MS)
    return {
      updated: life ?? null,
      ...newAlarm(severity, [], at, { isMuted, inhibited: isInhibited, isFire }),
    }
  const raised = recordRaise({ ...life, severity, count: life.count + 1, isInhibited, cleared: null }, at)
  const isQuiet = isMuted || life.isShelved || isInhibited
  const notification: NotificationEffect = isFire
    ? { kind: 'alarmRaised', isSent: !isQuiet }
    : life.isChattering
      ? { kind: 'alarmRaised', isSent: false }
      : raised.isChattering
        ? { kind: 'alarmChattering', isSent: !isQuiet }
        : { kind: 'alarmRaised', isSent: !isQuiet && severity === 'critical' }
  return {
    // The acknowledgement stays valid, unless people are notified again.
    updated: {
      ...raised,
      isNotified: notification.isSent && notification.kind === 'alarmRaised',
      isAcknowledged: life.isAcknowledged && !notification.isSent,
    },
    added: null,
    notification,
  }
}

/** A new alarm, with the raise times of the one that it follows. */
function newAlarm(
  severity: AlarmSeverity,
  previousRaises: readonly number[],
  at: number,
  { isMuted, inhibited: isInhibited, isFire }: { isMuted: boolean; inhibited: boolean; isFire: boolean },
): { added: AlarmLife; notification: NotificationEffect } {
  const added = recordRaise(
    {
      severity,
      count: 1,
      raises: previousRaises,
      isChattering: false,
      isNotified: false,
      isAcknowledged: false,
      isShelved: false,
      isInhibited,
      cleared: null,
    },
    at,
  )
  const isTooMany = added.isChattering && !isFire
  return {
    added: { ...added, isNotified: !isMuted && !isInhibited && !isTooMany },
    notification: { kind: isTooMany ? 'alarmChattering' : 'alarmRaised', isSent: !isMuted && !isInhibited },
  }
}

function change(
  life: AlarmLife,
  { severity, isWorse, at, isMuted, isFire = false }: Extract<AlarmEvent, { type: 'change' }>,
): AlarmLifeStep {
  // An acknowledgement applies only to the state that was acknowledged.
  if (isWorse && life.isAcknowledged && !life.isShelved) {
    const { added, notification } = newAlarm(severity, life.raises, at, {
      isMuted,
      inhibited: life.isInhibited,
      isFire,
    })
    const isQuiet = life.isChattering && !isFire
    const isChattering = life.isChattering || added.isChattering
    return {
      updated: { ...life, isNotified: false, cleared: { at, isByPerson: false } },
      added: { ...added, isChattering, isNotified: added.isNotified && !isQuiet },
      notification: isQuiet ? { kind: 'alarmRaised', isSent: false } : notification,
    }
  }
  const changed = { ...life, severity, isAcknowledged: life.isAcknowledged && !isWorse }
  if (!isFire && !(life.severity === 'warning' && severity === 'critical')) return unchanged(changed)
  const raised = recordRaise(changed, at)
  const isQuiet = isMuted || life.isShelved || life.isInhibited
  if (isFire) {
    const kind = life.severity === severity ? 'alarmRaised' : 'alarmChanged'
    return {
      updated: { ...raised, isNotified: life.isNotified || !isQuiet },
      added: null,
      notification: { kind, isSent: !isQuiet },
    }
  }
  const notification: NotificationEffect = life.isChattering
    ? { kind: 'alarmChanged', isSent: false }
    : { kind: raised.isChattering ? 'alarmChattering' : 'alarmChanged', isSent: !isQuiet }
  return {
    updated: { ...raised, isNotified: !raised.isChattering && (life.isNotified || notification.isSent) },
    added: null,
    notification,
  }
}

function clear(
  life: AlarmLife,
  { at, isMuted, isFire = false }: Extract<AlarmEvent, { type: 'clear' }>,
): AlarmLifeStep {
  const isSent =
    life.isNotified && !isMuted && !life.isShelved && !life.isInhibited && (!life.isChattering || isFire)
  return {
    updated: { ...life, isNotified: false, cleared: { at, isByPerson: false } },
    added: null,
    notification: { kind: 'alarmCleared', isSent },
  }
}

function unshelve(life: AlarmLife, notifiesAgain: boolean, isFire = false): AlarmLifeStep {
  const isSent = !life.isInhibited && (!life.isChattering || isFire)
  return {
    updated: { ...life, isShelved: false, isNotified: life.isNotified || (notifiesAgain && isSent) },
    added: null,
    notification: notifiesAgain ? { kind: 'alarmRaised', isSent } : null,
  }
}

/** People are notified of an inhibited alarm once it is no longer inhibited. */
function inhibit(life: AlarmLife, by: boolean): AlarmLifeStep {
  const mustNotify =
    life.isInhibited &&
    !by &&
    !life.isNotified &&
    !life.isAcknowledged &&
    !life.isShelved &&
    !life.isChattering
  return {
    updated: { ...life, isInhibited: by, isNotified: life.isNotified || mustNotify },
    added: null,
    notification: mustNotify ? { kind: 'alarmRaised', isSent: true } : null,
  }
}

function recordRaise(life: AlarmLife, at: number): AlarmLife {
  const raises = [...life.raises, at].slice(-MAX_RAISES)
  const isChatter = CHATTER_LIMITS.some(({ raises: limit, withinMs }) => {
    const first = raises[raises.length - limit]
    return first !== undefined && at - first < withinMs
  })
  return { ...life, raises, isChattering: life.isChattering || isChatter }
}

const resetChatter = (life: AlarmLife, at: number): AlarmLife =>
  life.isChattering && at - (life.raises.at(-1) ?? 0) >= CHATTER_QUIET_MS
    ? { ...life, isChattering: false }
    : life
