import { groupBy } from '../../lib/group-by.ts'
import { type Draft, type HoldReason, isOfLifeSafety, worstOf } from './draft.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** Alarms that are not critical wait so long for what belongs to them, ms. */
export const GATHER_MS = 30_000
/** From so many alarms within so long on they come as one digest in as long. */
const FLOOD = 10
const FLOOD_WITHIN = 10 * MINUTE
/**
 * Messages on alarms within that time, before critical ones come as a digest as well. With the digest that follows them and the one that
 * ends it, a flood of a minute is ten messages.
 */
const CRITICAL_SINGLY = 8
/** Most messages to one recipient in an hour. The last five are for critical ones. */
const IN_AN_HOUR = { critical: 30, others: 25 }

/** A message that went to a recipient, with how many alarms it told of. */
export interface SentMessage {
  at: number
  alarms: number
}

/** What is to be sent now: one draft, or a digest of several. */
export interface OutgoingDraft {
  as: 'single' | 'alarmDigest' | 'digest'
  drafts: readonly Draft[]
}

export interface HeldDraft {
  drafts: readonly Draft[]
  until: number
  held: HoldReason
}

/** What has gone to a recipient, and whether they are to be left alone. */
export interface RecipientPacing {
  /** Of the last hour, the oldest first. */
  sent: readonly SentMessage[]
  /** When the last digest of a flood went, epoch ms. */
  digestAt: number | null
  /** When the quiet hours of now end; null without. */
  quietUntil: number | null
  /** Whether critical ones come through them. */
  criticalPasses: boolean
}

/** What becomes of what is due for one recipient: said, or held. `sent` and `digestAt` are as they are from then on. */
export interface PacingDecision {
  say: OutgoingDraft[]
  hold: HeldDraft[]
  sent: SentMessage[]
  digestAt: number | null
}

const isCritical = ({ severity }: Draft) => severity === 'critical'
const isAlarm = ({ category }: Draft) => category === 'alarm'

/**
 * Decides what goes out now of what is due, in the order in which it happened: what endangers life goes first, each by itself, and
 * counts against no limit; what is held back for quiet hours or too many
 * messages comes as one digest when its time has come, many alarms come as one, critical ones go first.
 */
export function applyPacing(drafts: readonly Draft[], before: RecipientPacing, now: number): PacingDecision {
  const paced: PacingDecision = {
    say: [],
    hold: [],
    sent: before.sent.filter(({ at }) => at > now - HOUR),
    digestAt: before.digestAt,
  }
  for (const draft of drafts.filter(isOfLifeSafety)) paced.say.push({ as: 'single', drafts: [draft] })
  const awake = quieted(
    drafts.filter((draft) => !isOfLifeSafety(draft)),
    before,
    paced,
  )
  const of = (...reasons: (HoldReason | null)[]) => awake.filter(({ held }) => reasons.includes(held))
  const fresh = of(null)
  const flooded = [...of('flood')]
  for (const draft of fresh.filter(isCritical)) {
    if (isAlarm(draft) && recent(paced, now).length >= CRITICAL_SINGLY) flooded.push(draft)
    else say(paced, { as: 'single', drafts: [draft] }, now)
  }
  const others = fresh.filter((draft) => !isCritical(draft))
  for (const bundle of bundles(others.filter(isAlarm))) {
    const told = recent(paced, now).reduce((sum, { alarms }) => sum + alarms, 0)
    if (told + bundle.length > FLOOD) flooded.push(...bundle)
    else say(paced, asOne('alarmDigest', bundle), now)
  }
  for (const draft of others.filter((one) => !isAlarm(one)))
    say(paced, { as: 'single', drafts: [draft] }, now)
  flood(paced, flooded, now)
  const heldBack = of('quiet', 'hour')
  if (heldBack.length > 0) say(paced, asOne('digest', heldBack), now)
  return paced
}

/** Holds what quiet hours keep back; answers the rest. */
function quieted(
  drafts: readonly Draft[],
  { quietUntil, criticalPasses }: RecipientPacing,
  paced: PacingDecision,
): Draft[] {
  if (quietUntil === null) return [...drafts]
  const passes = (draft: Draft) => criticalPasses && isCritical(draft)
  const asleep = drafts.filter((draft) => !passes(draft))
  if (asleep.length > 0) paced.hold.push({ drafts: asleep, until: quietUntil, held: 'quiet' })
  return drafts.filter(passes)
}

/** One digest of a flood in ten minutes. */
function flood(paced: PacingDecision, flooded: readonly Draft[], now: number): void {
  if (flooded.length === 0) return
  const next = paced.digestAt === null ? now : paced.digestAt + FLOOD_WITHIN
  if (next > now) {
    paced.hold.push({ drafts: flooded, until: next, held: 'flood' })
  } else if (say(paced, asOne('alarmDigest', flooded), now)) paced.digestAt = now
}

const asOne = (as: 'alarmDigest' | 'digest', drafts: readonly Draft[]): OutgoingDraft => ({
  as: drafts.length === 1 ? 'single' : as,
  drafts,
})

/** Those of one home belong together. */
function bundles(drafts: readonly Draft[]): Draft[][] {
  return [...groupBy(drafts, ({ homeId }) => homeId).values()]
}

/** Messages on alarms within the time that makes a flood. */
const recent = ({ sent }: PacingDecision, now: number): SentMessage[] =>
  sent.filter(({ at, alarms }) => alarms > 0 && at > now - FLOOD_WITHIN)

/** Says something, or holds it while there were too many messages in an hour; answers whether it is said. */
function say(paced: PacingDecision, saying: OutgoingDraft, now: number): boolean {
  const limit = worstOf(saying.drafts) === 'critical' ? IN_AN_HOUR.critical : IN_AN_HOUR.others
  const leaving = paced.sent[paced.sent.length - limit]
  if (leaving) {
    paced.hold.push({ drafts: saying.drafts, until: leaving.at + HOUR, held: 'hour' })
    return false
  }
  paced.say.push(saying)
  paced.sent.push({ at: now, alarms: saying.drafts.filter(isAlarm).length })
  return true
}
