import { describe, expect, it } from 'vitest'
import { right } from '../../../../contract/kernel/permissions.ts'
import type { Draft } from '../../../../gateway/features/notifications/draft.ts'
import {
  GATHER_MS,
  applyPacing,
  type RecipientPacing,
  type PacingDecision,
} from '../../../../gateway/features/notifications/pacing.ts'

const MINUTE = 60_000
const NOW = Date.UTC(2026, 0, 5, 1)
const NEW: RecipientPacing = { sent: [], digestAt: null, quietUntil: null, sendsCritical: true }

let last = 0
const draft = (given: Partial<Draft> = {}): Draft => {
  last += 1
  return {
    draftId: last,
    noticeId: last,
    notificationId: null,
    category: 'alarm',
    severity: 'warning',
    kind: 'alarmRaised',
    homeId: 'home',
    topic: `alarm:${last}`,
    held: null,
    content: {
      alarmId: null,
      values: {},
      path: null,
      access: right('device', 'Read'),
      at: NOW,
      canAcknowledge: false,
    },
    ...given,
  }
}
const drafts = (count: number, given: Partial<Draft> = {}) =>
  Array.from({ length: count }, () => draft(given))
const critical = { severity: 'critical' as const }
const said = ({ outgoing }: PacingDecision) => outgoing.map(({ form, drafts: of }) => [form, of.length])
const held = ({ held: hold }: PacingDecision) =>
  hold.map(({ held: why, drafts: of, until }) => [why, of.length, until - NOW])
const after = ({ sent, digestAt }: PacingDecision): RecipientPacing => ({ ...NEW, sent, digestAt })

/** Alarm on a danger to life: smoke, fire, gas leak. */
const danger = (given: Partial<Draft> = {}) => {
  const one = draft({ ...critical, ...given })
  return { ...one, content: { ...one.content, values: { lifeSafety: 1 } } }
}

describe('a life-safety message', () => {
  it('is sent immediately and separately, first, whatever was sent or is due', () => {
    const flooded = after(applyPacing([...drafts(50), ...drafts(40, critical)], NEW, NOW))
    const fires = [danger(), danger(), danger()]
    const paced = applyPacing([...drafts(20), ...drafts(20, critical), ...fires], flooded, NOW + 1_000)
    expect(paced.outgoing.slice(0, 3)).toEqual(fires.map((fire) => ({ form: 'single', drafts: [fire] })))
  })

  it('is also sent after 30 messages in an hour, and does not count toward the limit', () => {
    const fires = Array.from({ length: 100 }, () => danger())
    const full = { ...NEW, sent: Array.from({ length: 30 }, () => ({ at: NOW - 1, alarms: 1 })) }
    const paced = applyPacing(fires, full, NOW)
    expect(said(paced)).toEqual(fires.map(() => ['single', 1]))
    expect(paced.held).toEqual([])
    expect(paced.sent).toEqual(full.sent)
    const cleared = danger({ kind: 'alarmCleared', severity: 'info' })
    expect(said(applyPacing([cleared], full, NOW)), 'that it is over is information').toEqual([])
  })

  it('is sent in quiet hours, even if nothing else is let through', () => {
    const asleep = { ...NEW, quietUntil: NOW + 8 * 60 * MINUTE, sendsCritical: false }
    expect(said(applyPacing([danger(), draft(critical)], asleep, NOW))).toEqual([['single', 1]])
  })
})

describe('the outgoing messages', () => {
  it('are one for concurrent alarms of a home, and one each for critical ones', () => {
    const paced = applyPacing([...drafts(3), draft({ homeId: 'other' }), ...drafts(2, critical)], NEW, NOW)
    expect(said(paced)).toEqual([
      ['single', 1],
      ['single', 1],
      ['alarmDigest', 3],
      ['single', 1],
    ])
    expect(paced.outgoing[0]?.drafts[0]?.severity).toBe('critical')
  })

  it('are one digest in ten minutes for more than ten alarms in that time', () => {
    const first = applyPacing(drafts(50), NEW, NOW)
    expect(said(first)).toEqual([['alarmDigest', 50]])
    const second = applyPacing(drafts(7), after(first), NOW + GATHER_MS)
    expect([said(second), held(second)]).toEqual([[], [['flood', 7, 10 * MINUTE]]])
    const third = applyPacing(drafts(9, { held: 'flood' }), after(second), NOW + 10 * MINUTE)
    expect(said(third)).toEqual([['alarmDigest', 9]])
  })

  it('include critical alarms in a flood of others', () => {
    const flooded = after(applyPacing(drafts(50), NEW, NOW))
    expect(said(applyPacing([draft(critical)], flooded, NOW + 1))).toEqual([['single', 1]])
  })

  it('are at most ten in a flood of a minute, including the digest, however many are critical', () => {
    let state = NEW
    let messages = 0
    for (let second = 0; second < 60; second++) {
      const due = [...drafts(40, critical), ...(second % 30 === 29 ? drafts(1_300) : [])]
      const paced = applyPacing(due, state, NOW + second * 1_000)
      messages += paced.outgoing.length
      state = after(paced)
    }
    expect(messages).toBe(9)
    const end = applyPacing(drafts(5, { held: 'flood' }), state, NOW + 10 * MINUTE + 20_000)
    expect(said(end)).toEqual([['alarmDigest', 5]])
  })

  it('are at most 30 in an hour, the last five of them critical, and then one digest', () => {
    let state = NEW
    const rules = { category: 'automation' as const, kind: 'ruleRan' as const }
    for (let i = 0; i < 25; i++) state = after(applyPacing([draft(rules)], state, NOW + i))
    const tooMany = applyPacing(drafts(3, rules), state, NOW + 30)
    expect(held(tooMany)).toEqual([1, 1, 1].map(() => ['hour', 1, 60 * MINUTE]))
    for (let i = 0; i < 5; i++) {
      const urgent = applyPacing([draft({ ...rules, ...critical })], state, NOW + 40 + i)
      expect(said(urgent)).toEqual([['single', 1]])
      state = after(urgent)
    }
    expect(said(applyPacing([draft({ ...rules, ...critical })], state, NOW + 50))).toEqual([])
    const later = applyPacing(drafts(3, { ...rules, held: 'hour' }), state, NOW + 60 * MINUTE + 30)
    expect(said(later)).toEqual([['digest', 3]])
  })

  it('are one digest after quiet hours, with critical ones only if nothing is let through', () => {
    const quiet = { ...NEW, quietUntil: NOW + 8 * 60 * MINUTE }
    const due = [draft(), draft(critical)]
    const passes = applyPacing(due, quiet, NOW)
    expect([said(passes), held(passes)]).toEqual([[['single', 1]], [['quiet', 1, 480 * MINUTE]]])
    expect(said(applyPacing(due, { ...quiet, sendsCritical: false }, NOW))).toEqual([])
    expect(said(applyPacing(drafts(4, { held: 'quiet' }), NEW, NOW))).toEqual([['digest', 4]])
    expect(said(applyPacing(drafts(1, { held: 'quiet' }), NEW, NOW))).toEqual([['single', 1]])
  })
})
