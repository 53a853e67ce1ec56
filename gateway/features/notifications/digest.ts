import type { NotificationKind } from '../../../contract/procedures/notifications.ts'
import type { Notice } from '../../lib/notices.ts'
import { type Content, type Draft, worstOf } from './draft.ts'
import type { Saying } from './pace.ts'

/** What one message tells, before it is put into words. */
export interface Telling extends Pick<Notice, 'category' | 'severity' | 'homeId'>, Omit<Content, 'access'> {
  kind: NotificationKind
  /** Of a digest each of what it counts: who holds none of them hears nothing of it. */
  access: Content['access'][]
}

/** Most notifications by which a message knows whether all it tells of has been read. */
const NAMED = 100

/** What is said, and what of the history it is about; that is empty where it is about more than could be asked for. */
export function tellingOf({ as, drafts }: Saying): { telling: Telling; notificationIds: string[] } {
  const [first] = drafts as readonly [Draft]
  const notificationIds = drafts.flatMap(({ notificationId }) => notificationId ?? [])
  return {
    telling: as === 'single' ? single(first) : digest(as, drafts),
    notificationIds: notificationIds.length > NAMED ? [] : notificationIds,
  }
}

const single = ({ kind, category, severity, homeId, content: { access, ...content } }: Draft): Telling => ({
  ...content,
  kind,
  category,
  severity,
  homeId,
  access: [access],
})

function digest(kind: 'alarmDigest' | 'digest', drafts: readonly Draft[]): Telling {
  const homes = new Set(drafts.map(({ homeId }) => homeId))
  const [homeId = null] = homes.size === 1 ? homes : []
  const names = new Set(drafts.map(({ content }) => content.values['home']))
  const [home = null] = names.size === 1 ? names : []
  const open = drafts.filter((draft) => draft.kind !== 'alarmCleared')
  const count = (severity: Draft['severity'], among: readonly Draft[]) =>
    among.filter((draft) => draft.severity === severity).length
  const ofAlarms = kind === 'alarmDigest'
  const counted = ofAlarms ? open : drafts
  const path = ofAlarms ? `/Alarm/${homeId}?tab=live` : `/historyNotification/${homeId}`
  return {
    kind,
    category: ofAlarms ? 'alarm' : 'system',
    severity: worstOf(drafts),
    homeId,
    alarmId: null,
    values: {
      home,
      count: counted.length,
      critical: count('critical', counted),
      warning: count('warning', counted),
      info: count('info', counted),
      cleared: drafts.length - open.length,
    },
    path: homeId === null ? null : path,
    access: distinct(drafts.map(({ content }) => content.access)),
    at: Math.max(...drafts.map(({ content }) => content.at)),
    canAcknowledge: false,
  }
}

const distinct = <T>(values: readonly T[]): T[] => [
  ...new Map(values.map((value) => [JSON.stringify(value), value])).values(),
]
