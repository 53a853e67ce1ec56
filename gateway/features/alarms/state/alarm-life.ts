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
  { raises: 3, within: 60_000 },
  { raises: 6, within: 600_000 },
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
  chattering: boolean
  /** Whether people were notified that it is open. */
  told: boolean
  acknowledged: boolean
  shelved: boolean
  /** Whether another alarm explains it: no notifications are sent. */
  inhibited: boolean
  cleared: { at: number; byPerson: boolean } | null
}

/** Standing of an alarm: cleared takes precedence over shelved, and shelved over acknowledged. */
export type AlarmState = 'raised' | 'acknowledged' | 'shelved' | 'cleared'

export const stateOfLife = ({ cleared, shelved, acknowledged }: AlarmLife): AlarmState =>
  cleared ? 'cleared' : shelved ? 'shelved' : acknowledged ? 'acknowledged' : 'raised'

/** Allowed changes of standing, in addition to none. An acknowledged alarm that becomes worse is cleared, and a new one is raised. */
export const TRANSITIONS: Readonly<Record<AlarmState, readonly AlarmState[]>> = {
  raised: ['acknowledged', 'shelved', 'cleared'],
  acknowledged: ['shelved', 'cleared'],
  shelved: ['raised', 'acknowledged', 'cleared'],
  cleared: ['raised', 'acknowledged', 'shelved'],
}

export type AlarmEvent =
  /**
   * isMuted: no notification is sent, because the report is late, or its subject is in maintenance
   * inhibited: another alarm explains it; unset keeps the previous value
   * isFire: it endangers life, and is sent however often it is raised
   */
  | {
      is: 'raise'
      severity: AlarmSeverity
      at: number
      muted: boolean
      inhibited?: boolean
      isFire?: boolean
    }
  /** isWorse: more severe, or another field is affected. isFire: it endangers life more than before. */
  | {
      is: 'change'
      severity: AlarmSeverity
      isWorse: boolean
      at: number
      muted: boolean
      isFire?: boolean
    }
  /** isFire: the danger to life is over. */
  | { is: 'clear'; at: number; muted: boolean; isFire?: boolean }
  | { is: 'acknowledge' }
  | { is: 'shelve' }
  | { is: 'unshelve'; isFire?: boolean }
  /** The shelving has expired. */
  | { is: 'shelfEnds'; isFire?: boolean }
  | { is: 'clearByPerson'; at: number }
  | { is: 'inhibit'; by: boolean }
  /** A check whether it still chatters. */
  | { is: 'look'; at: number }

/** Notification that results from a step; unsent ones are only in the history. */
export interface NotificationEffect {
  kind: 'alarmRaised' | 'alarmChanged' | 'alarmCleared' | 'alarmChattering'
  sent: boolean
}

export interface AlarmLifeStep {
  /** The alarm afterwards; null if there was none. */
  kept: AlarmLife | null
  /** A new alarm that begins. */
  added: AlarmLife | null
  /** About `added` if there is one, otherwise about `updated`. */
  tells: NotificationEffect | null
}

const unchanged = (updated: AlarmLife | null): AlarmLifeStep => ({ kept: updated, added: null, tells: null })

/**
 * Result of an event on an alarm.
 *
 * life     the newest alarm of its source, open or cleared; undefined if it has none
 * returns  undefined if the event is not allowed: nothing changes, and an action of a person fails
 */
export function nextAlarmLife(life: AlarmLife | undefined, event: AlarmEvent): AlarmLifeStep | undefined {
  if (event.is === 'raise') return raise(life, event)
  if (!life) return undefined
  if (event.is === 'look') return unchanged(resetChatter(life, event.at))
  if (life.cleared) return event.is === 'shelfEnds' ? unchanged({ ...life, shelved: false }) : undefined
  switch (event.is) {
    case 'change':
      return change(life, event)
    case 'clear':
      return clear(life, event)
    case 'acknowledge':
      return life.acknowledged ? undefined : unchanged({ ...life, acknowledged: true })
    case 'shelve':
      return life.shelved ? undefined : unchanged({ ...life, shelved: true })
    case 'unshelve':
      return life.shelved ? unshelve(life, !life.told, event.isFire) : undefined
    case 'shelfEnds':
      return life.shelved ? unshelve(life, true, event.isFire) : undefined
    case 'clearByPerson':
      return unchanged({ ...life, told: false, cleared: { at: event.at, byPerson: true } })
    case 'inhibit':
      return inhibit(life, event.by)
  }
}

function raise(
  life: AlarmLife | undefined,
  {
    severity,
    at,
    muted: isMuted,
    inhibited = life?.cleared ? life.inhibited : false,
    isFire = false,
  }: Extract<AlarmEvent, { is: 'raise' }>,
): AlarmLifeStep | undefined {
  if (life && !life.cleared) return undefined
  if (!life?.cleared || life.cleared.byPerson || at - life.cleared.at > REOPEN_WINDOW_MS)
    return { kept: life ?? null, ...newAlarm(severity, [], at, { muted: isMuted, inhibited, isFire }) }
  const raised = recordRaise({ ...life, severity, count: life.count + 1, inhibited, cleared: null }, at)
  const isQuiet = isMuted || life.shelved || inhibited
  const notification: NotificationEffect = isFire
    ? { kind: 'alarmRaised', sent: !isQuiet }
    : life.chattering
      ? { kind: 'alarmRaised', sent: false }
      : raised.chattering
        ? { kind: 'alarmChattering', sent: !isQuiet }
        : { kind: 'alarmRaised', sent: !isQuiet && severity === 'critical' }
  return {
    // The acknowledgement stays valid, unless people are notified again.
    kept: {
      ...raised,
      told: notification.sent && notification.kind === 'alarmRaised',
      acknowledged: life.acknowledged && !notification.sent,
    },
    added: null,
    tells: notification,
  }
}

/** A new alarm, with the raise times of the one that it follows. */
function newAlarm(
  severity: AlarmSeverity,
  previousRaises: readonly number[],
  at: number,
  { muted: isMuted, inhibited, isFire }: { muted: boolean; inhibited: boolean; isFire: boolean },
): { added: AlarmLife; tells: NotificationEffect } {
  const added = recordRaise(
    {
      severity,
      count: 1,
      raises: previousRaises,
      chattering: false,
      told: false,
      acknowledged: false,
      shelved: false,
      inhibited,
      cleared: null,
    },
    at,
  )
  const isTooMany = added.chattering && !isFire
  return {
    added: { ...added, told: !isMuted && !inhibited && !isTooMany },
    tells: { kind: isTooMany ? 'alarmChattering' : 'alarmRaised', sent: !isMuted && !inhibited },
  }
}

function change(
  life: AlarmLife,
  { severity, isWorse, at, muted: isMuted, isFire = false }: Extract<AlarmEvent, { is: 'change' }>,
): AlarmLifeStep {
  // An acknowledgement applies only to the state that was acknowledged.
  if (isWorse && life.acknowledged && !life.shelved) {
    const { added, tells: notification } = newAlarm(severity, life.raises, at, {
      muted: isMuted,
      inhibited: life.inhibited,
      isFire,
    })
    const isQuiet = life.chattering && !isFire
    const chattering = life.chattering || added.chattering
    return {
      kept: { ...life, told: false, cleared: { at, byPerson: false } },
      added: { ...added, chattering, told: added.told && !isQuiet },
      tells: isQuiet ? { kind: 'alarmRaised', sent: false } : notification,
    }
  }
  const changed = { ...life, severity, acknowledged: life.acknowledged && !isWorse }
  if (!isFire && !(life.severity === 'warning' && severity === 'critical')) return unchanged(changed)
  const raised = recordRaise(changed, at)
  const isQuiet = isMuted || life.shelved || life.inhibited
  if (isFire) {
    const kind = life.severity === severity ? 'alarmRaised' : 'alarmChanged'
    return { kept: { ...raised, told: life.told || !isQuiet }, added: null, tells: { kind, sent: !isQuiet } }
  }
  const notification: NotificationEffect = life.chattering
    ? { kind: 'alarmChanged', sent: false }
    : { kind: raised.chattering ? 'alarmChattering' : 'alarmChanged', sent: !isQuiet }
  return {
    kept: { ...raised, told: !raised.chattering && (life.told || notification.sent) },
    added: null,
    tells: notification,
  }
}

function clear(
  life: AlarmLife,
  { at, muted: isMuted, isFire = false }: Extract<AlarmEvent, { is: 'clear' }>,
): AlarmLifeStep {
  const isSent = life.told && !isMuted && !life.shelved && !life.inhibited && (!life.chattering || isFire)
  return {
    kept: { ...life, told: false, cleared: { at, byPerson: false } },
    added: null,
    tells: { kind: 'alarmCleared', sent: isSent },
  }
}

function unshelve(life: AlarmLife, notifiesAgain: boolean, isFire = false): AlarmLifeStep {
  const isSent = !life.inhibited && (!life.chattering || isFire)
  return {
    kept: { ...life, shelved: false, told: life.told || (notifiesAgain && isSent) },
    added: null,
    tells: notifiesAgain ? { kind: 'alarmRaised', sent: isSent } : null,
  }
}

/** People are notified of an inhibited alarm once it is no longer inhibited. */
function inhibit(life: AlarmLife, by: boolean): AlarmLifeStep {
  const mustNotify =
    life.inhibited && !by && !life.told && !life.acknowledged && !life.shelved && !life.chattering
  return {
    kept: { ...life, inhibited: by, told: life.told || mustNotify },
    added: null,
    tells: mustNotify ? { kind: 'alarmRaised', sent: true } : null,
  }
}

function recordRaise(life: AlarmLife, at: number): AlarmLife {
  const raises = [...life.raises, at].slice(-MAX_RAISES)
  const isChatter = CHATTER_LIMITS.some(({ raises: limit, within }) => {
    const first = raises[raises.length - limit]
    return first !== undefined && at - first < within
  })
  return { ...life, raises, chattering: life.chattering || isChatter }
}

const resetChatter = (life: AlarmLife, at: number): AlarmLife =>
  life.chattering && at - (life.raises.at(-1) ?? 0) >= CHATTER_QUIET_MS
    ? { ...life, chattering: false }
    : life
