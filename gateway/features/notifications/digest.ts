import type { NotificationKind } from '../../../contract/notifications/calls.ts'
import { NOTIFICATION_SEVERITIES } from '../../../contract/notifications/settings.ts'
import type { NotificationEvent } from '../../domain/notifications/notification-transport.ts'
import { type Content, type Draft, worstOf } from './draft.ts'
import type { OutgoingDraft } from './pacing.ts'

/** Content of one message, before it is rendered in a language. */
export interface MessageContent
  extends Pick<NotificationEvent, 'category' | 'severity' | 'homeId'>, Omit<Content, 'access'> {
  kind: NotificationKind
  /** Most important notification of a digest, named first in its title. */
  worst?: (Pick<Draft, 'kind' | 'severity'> & Pick<Content, 'values'>) | undefined
  /** Rights that are needed for each notification of a digest; a person with none of them does not receive it. */
  access: Content['access'][]
}

/** Maximum number of notifications that a message refers to, so that it can be dropped once all of them are read. */
const NAMED = 100

/** Content of a message, and the ids of its notifications; no ids if there are more than NAMED. */
export function messageContentOf({ form, drafts }: OutgoingDraft): {
  content: MessageContent
  notificationIds: string[]
} {
  const [first] = drafts as readonly [Draft]
  const notificationIds = drafts.flatMap(({ notificationId }) => notificationId ?? [])
  return {
    content: form === 'single' ? single(first) : digest(form, drafts),
    notificationIds: notificationIds.length > NAMED ? [] : notificationIds,
  }
}

const single = ({
  kind,
  category,
  severity,
  homeId,
  content: { access, ...content },
}: Draft): MessageContent => ({
  ...content,
  kind,
  category,
  severity,
  homeId,
  access: [access],
})

function digest(kind: 'alarmDigest' | 'digest', drafts: readonly Draft[]): MessageContent {
  const homes = new Set(drafts.map(({ homeId }) => homeId))
  const [homeId = null] = homes.size === 1 ? homes : []
  const names = new Set(drafts.map(({ content }) => content.values['home']))
  const [home = null] = names.size === 1 ? names : []
  const open = drafts.filter((draft) => draft.kind !== 'alarmCleared')
  const count = (severity: Draft['severity'], items: readonly Draft[]) =>
    items.filter((draft) => draft.severity === severity).length
  const ofAlarms = kind === 'alarmDigest'
  const counted = ofAlarms ? open : drafts
  const path = ofAlarms ? `/Alarm/${homeId}?tab=live` : `/historyNotification/${homeId}`
  return {
    kind,
    category: ofAlarms ? 'alarm' : 'system',
    severity: worstOf(drafts),
    homeId,
    alarmId: null,
    worst: worstIn(counted.length > 0 ? counted : drafts),
    values: {
      home,
      count: counted.length,
      more: (counted.length > 0 ? counted : drafts).length - 1,
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

/** The most severe draft; of equal ones an open alarm first, then the newest. */
function worstIn(drafts: readonly Draft[]): MessageContent['worst'] {
  const rank = ({ severity, kind, category }: Draft) =>
    NOTIFICATION_SEVERITIES.indexOf(severity) * 4 +
    (category === 'alarm' ? 0 : 2) +
    (kind === 'alarmCleared' ? 1 : 0)
  const [worst] = drafts.toSorted(
    (a, b) => rank(a) - rank(b) || b.content.at - a.content.at || b.noticeId - a.noticeId,
  )
  if (!worst) return undefined
  const { kind, severity, content } = worst
  return { kind, severity, values: content.values }
}

const distinct = <T>(values: readonly T[]): T[] => [
  ...new Map(values.map((value) => [JSON.stringify(value), value])).values(),
]
