import { right } from '../../../contract/kernel/permissions.ts'
import { QUARTER_MS } from '../../../contract/time/periods.ts'
import type { GuardDecision } from '../../../contract/automation/load-shedding.ts'
import type { NotificationEvent } from '../../domain/notifications/notification-transport.ts'
import type { GuardRule } from './guards.ts'

/** Time after which people are notified that a guard cannot act, ms; short gaps, as from a lost report, are ignored. */
const NOTICE_DELAY_MS = 300_000
/** Notifications for states in which a guard cannot act. */
const BLIND = {
  partialData: 'guardPartialData',
  tooSlow: 'guardTooSlow',
  noContract: 'guardNoContract',
} as const satisfies Partial<Record<GuardDecision['state'], NotificationEvent['kind']>>

/** Inputs of a decision; kW, epoch ms. */
export interface GuardFigures {
  forecast: number | null
  asOf: number | null
  target: number | null
  isTooSlow: boolean
}

/**
 * Stored state of notifications: the reason why a guard cannot act and since when, whether that was sent, and the quarter of an hour
 * whose limit cannot be held.
 */
export interface GuardNotified {
  state: GuardDecision['state']
  partialSince: number | null
  toldPartial: boolean
  toldQuarter: number | null
}

interface DecidedGuard {
  rule: GuardRule
  decision: GuardDecision
  figures: GuardFigures
  stood: GuardNotified
  shed: readonly { place: number; kw: number | null }[]
  now: number
}

/** Notifications of a decision, and the state to store so that each is sent once. */
export function guardNotices({ rule, decision, figures, stood, shed, now }: DecidedGuard): {
  notices: NotificationEvent[]
  stands: Omit<GuardNotified, 'state'>
} {
  const { tenant, homeId, homeName, automationId, name } = rule
  const quarter = now - (now % QUARTER_MS)
  const { forecast, target } = figures
  const notices: NotificationEvent[] = []
  const notify = (
    kind: NotificationEvent['kind'],
    severity: NotificationEvent['severity'],
    values: NotificationEvent['values'],
  ) =>
    notices.push({
      tenant,
      homeId,
      category: 'guard',
      severity,
      kind,
      alarmId: null,
      values: { subject: name, home: homeName, ...values },
      path: `/Alarm/${homeId}?tab=guard`,
      to: { access: right('power_meter_alarm', 'Read') },
      topic: `guard:${automationId}:${kind}`,
      at: now,
    })
  const isUnholdable = decision.state === 'cannotHold'
  if (isUnholdable && stood.toldQuarter !== quarter)
    notify('guardCannotHold', 'critical', {
      forecastKw: forecast,
      targetKw: target,
      lacksKw: decision.lacks,
      until: quarter + QUARTER_MS,
    })
  if (shed.length > 0)
    notify('guardShed', 'warning', {
      count: shed.length,
      // The sum is unknown if the power of any load is.
      kw: shed.reduce((sum: number | null, { kw }) => (sum === null || kw === null ? null : sum + kw), 0),
      forecastKw: forecast,
      targetKw: target,
    })
  const isBlind = decision.state in BLIND
  const isSame = stood.state === decision.state
  const partialSince = isBlind ? ((isSame ? stood.partialSince : null) ?? now) : null
  const isOverdue = partialSince !== null && now - partialSince >= NOTICE_DELAY_MS
  if (isOverdue && !(isSame && stood.toldPartial))
    notify(BLIND[decision.state as keyof typeof BLIND], 'warning', { since: partialSince })
  return {
    notices,
    stands: { partialSince, toldPartial: isOverdue, toldQuarter: isUnholdable ? quarter : stood.toldQuarter },
  }
}
