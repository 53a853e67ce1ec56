import { groupBy } from '../../lib/group-by.ts'
import { type Draft, type HoldReason, isOfLifeSafety, worstOf } from './draft.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** Delay of non-critical alarms to gather related ones, ms. */
export const GATHER_MS = 30_000
/** Number of alarms within FLOOD_WITHIN that counts as a flood; it is sent as one digest per FLOOD_WITHIN. */
const FLOOD = 10
const FLOOD_WITHIN = 10 * MINUTE
/**
 * Number of messages on alarms within that time after which critical ones are sent as a digest, too. With the digests during and at the end
 * of a flood, one of a minute results in ten messages.
 */
const CRITICAL_SINGLY = 8
/** Maximum number of messages to one recipient in an hour. The last five are reserved for critical ones. */
const IN_AN_HOUR = { critical: 30, others: 25 }

/** A message sent to a recipient, with the number of alarms that it contained. */
export interface SentMessage {
  at: number
  alarms: number
}

/** A message to send now: a single draft, or a digest of several. */
export interface OutgoingDraft {
  form: 'single' | 'alarmDigest' | 'digest'
  drafts: readonly Draft[]
}

export interface HeldDraft {
  drafts: readonly Draft[]
  until: number
  held: HoldReason
}

/** Messages sent to a recipient so far, and their quiet hours. */
export interface RecipientPacing {
  /** Messages of the last hour, oldest first. */
  sent: readonly SentMessage[]
  /** Time of the last flood digest, epoch ms. */
  digestAt: number | null
  /** End of the current quiet hours; null outside of them. */
  quietUntil: number | null
  /** Whether critical drafts are sent during quiet hours. */
  sendsCritical: boolean
}

/** Decision on the due drafts of one recipient: send or hold, with the resulting `sent` and `digestAt`. */
export interface PacingDecision {
  outgoing: OutgoingDraft[]
  held: HeldDraft[]
  sent: SentMessage[]
  digestAt: number | null
}

const isCritical = ({ severity }: Draft) => severity === 'critical'
const isAlarm = ({ category }: Draft) => category === 'alarm'

/**
 * Decides which due drafts are sent now, in order of time: dangers to life come first, separately and without any limit. Drafts that were
 * held for quiet hours or a limit are later sent as one digest, many alarms are combined, and critical drafts take precedence.
 */
export function applyPacing(drafts: readonly Draft[], before: RecipientPacing, now: number): PacingDecision {
  const paced: PacingDecision = {
    outgoing: [],
    held: [],
    sent: before.sent.filter(({ at }) => at > now - HOUR),
    digestAt: before.digestAt,
  }
  for (const draft of drafts.filter(isOfLifeSafety)) paced.outgoing.push({ form: 'single', drafts: [draft] })
  const awake = holdDuringQuietHours(
    drafts.filter((draft) => !isOfLifeSafety(draft)),
    before,
    paced,
  )
  const of = (...reasons: (HoldReason | null)[]) => awake.filter(({ held }) => reasons.includes(held))
  const unheld = of(null)
  const flooded = [...of('flood')]
  for (const draft of unheld.filter(isCritical)) {
    if (isAlarm(draft) && recent(paced, now).length >= CRITICAL_SINGLY) flooded.push(draft)
    else sendOrHold(paced, { form: 'single', drafts: [draft] }, now)
  }
  const others = unheld.filter((draft) => !isCritical(draft))
  for (const bundle of bundles(others.filter(isAlarm))) {
    const alarmCount = recent(paced, now).reduce((sum, { alarms }) => sum + alarms, 0)
    if (alarmCount + bundle.length > FLOOD) flooded.push(...bundle)
    else sendOrHold(paced, asOne('alarmDigest', bundle), now)
  }
  for (const draft of others.filter((one) => !isAlarm(one)))
    sendOrHold(paced, { form: 'single', drafts: [draft] }, now)
  flood(paced, flooded, now)
  const heldBack = of('quiet', 'hour')
  if (heldBack.length > 0) sendOrHold(paced, asOne('digest', heldBack), now)
  return paced
}

/** Holds drafts during quiet hours; returns the others. */
function holdDuringQuietHours(
  drafts: readonly Draft[],
  { quietUntil, sendsCritical }: RecipientPacing,
  paced: PacingDecision,
): Draft[] {
  if (quietUntil === null) return [...drafts]
  const isSentNow = (draft: Draft) => sendsCritical && isCritical(draft)
  const asleep = drafts.filter((draft) => !isSentNow(draft))
  if (asleep.length > 0) paced.held.push({ drafts: asleep, until: quietUntil, held: 'quiet' })
  return drafts.filter(isSentNow)
}

/** Sends at most one flood digest in ten minutes. */
function flood(paced: PacingDecision, flooded: readonly Draft[], now: number): void {
  if (flooded.length === 0) return
  const next = paced.digestAt === null ? now : paced.digestAt + FLOOD_WITHIN
  if (next > now) {
    paced.held.push({ drafts: flooded, until: next, held: 'flood' })
  } else if (sendOrHold(paced, asOne('alarmDigest', flooded), now)) paced.digestAt = now
}

const asOne = (form: 'alarmDigest' | 'digest', drafts: readonly Draft[]): OutgoingDraft => ({
  form: drafts.length === 1 ? 'single' : form,
  drafts,
})

/** Groups drafts by home. */
function bundles(drafts: readonly Draft[]): Draft[][] {
  return [...groupBy(drafts, ({ homeId }) => homeId).values()]
}

/** Messages on alarms within FLOOD_WITHIN. */
const recent = ({ sent }: PacingDecision, now: number): SentMessage[] =>
  sent.filter(({ at, alarms }) => alarms > 0 && at > now - FLOOD_WITHIN)

/** Sends a message, or holds it if the hourly limit is reached; returns whether it is sent. */
function sendOrHold(paced: PacingDecision, message: OutgoingDraft, now: number): boolean {
  const limit = worstOf(message.drafts) === 'critical' ? IN_AN_HOUR.critical : IN_AN_HOUR.others
  const oldestSent = paced.sent[paced.sent.length - limit]
  if (oldestSent) {
    paced.held.push({ drafts: message.drafts, until: oldestSent.at + HOUR, held: 'hour' })
    return false
  }
  paced.outgoing.push(message)
  paced.sent.push({ at: now, alarms: message.drafts.filter(isAlarm).length })
  return true
}
