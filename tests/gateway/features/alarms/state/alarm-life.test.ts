import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type AlarmEvent,
  type AlarmLife,
  CHATTER_LIMITS,
  nextAlarmLife,
  CHATTER_QUIET_MS,
  REOPEN_WINDOW_MS,
  stateOfLife,
  type AlarmLifeStep,
  TRANSITIONS,
} from '../../../../../gateway/features/alarms/state/alarm-life.ts'

const severity = fc.constantFrom('critical' as const, 'warning' as const)
const muted = fc.boolean()
/** Event, and the number of ms since the previous one. */
const happening = (longest: number) =>
  fc.tuple(
    fc.integer({ min: 0, max: longest }),
    fc.oneof(
      fc.record({ type: fc.constant('raise' as const), severity, isMuted: muted }),
      fc.record({ type: fc.constant('change' as const), severity, isWorse: fc.boolean(), isMuted: muted }),
      fc.record({ type: fc.constant('clear' as const), isMuted: muted }),
      fc.record({
        type: fc.constantFrom(
          'acknowledge',
          'unacknowledge',
          'shelve',
          'unshelve',
          'shelfEnds',
          'clearByPerson',
          'look',
        ),
      }),
      fc.record({ type: fc.constant('inhibit' as const), by: fc.boolean() }),
    ),
  )

interface Seen {
  before: AlarmLife | undefined
  event: AlarmEvent
  step: AlarmLifeStep | undefined
  at: number
}

/** Applies successive events to the newest alarm of a source. */
function live(happenings: readonly [number, object][]): Seen[] {
  let life: AlarmLife | undefined
  let at = 1_800_000_000_000
  return happenings.map(([after, what]) => {
    at += after
    const event = { ...what, at } as AlarmEvent
    const before = life
    const step = nextAlarmLife(before, event)
    if (step) life = step.added ?? step.updated ?? undefined
    return { before, event, step, at }
  })
}

const raise = (at: number, more: Partial<AlarmLife> = {}, worth: AlarmLife['severity'] = 'warning') =>
  nextAlarmLife(
    { ...(begun(0) as AlarmLife), ...more },
    { type: 'raise', severity: worth, at, isMuted: false },
  )
const begun = (at: number, worth: AlarmLife['severity'] = 'warning') =>
  nextAlarmLife(undefined, { type: 'raise', severity: worth, at, isMuted: false })?.added
const clearedAt = (at: number, byPerson = false) => ({
  cleared: { at, isByPerson: byPerson },
  isNotified: false,
})

describe('the life of an alarm', () => {
  it('has no transition outside of its table', () => {
    fc.assert(
      fc.property(fc.array(happening(400_000), { maxLength: 40 }), (happenings) => {
        const wrong = live(happenings).filter(({ before, step }) => {
          if (step?.added && stateOfLife(step.added) !== 'raised') return true
          if (!before || !step?.updated) return false
          const [from, to] = [stateOfLife(before), stateOfLife(step.updated)]
          return from !== to && !TRANSITIONS[from].includes(to)
        })
        expect(wrong).toEqual([])
      }),
    )
  })

  it('counts each time the same alarm is raised, and starts a new alarm at one', () => {
    fc.assert(
      fc.property(fc.array(happening(400_000), { maxLength: 40 }), (happenings) => {
        const wrong = live(happenings).filter(({ before, event, step }) => {
          if (step?.added) return step.added.count !== 1
          if (!step?.updated || !before) return false
          return step.updated.count - before.count !== (event.type === 'raise' ? 1 : 0)
        })
        expect(wrong).toEqual([])
      }),
    )
  })

  it('continues if it is raised again within ten minutes, but not after that or a manual clear', () => {
    expect(raise(REOPEN_WINDOW_MS, clearedAt(0))).toMatchObject({
      updated: { count: 2, cleared: null },
      added: null,
    })
    expect(raise(REOPEN_WINDOW_MS + 1, clearedAt(0))).toMatchObject({ added: { count: 1 } })
    expect(raise(1, clearedAt(0, true))).toMatchObject({ added: { count: 1 } })
  })

  it('keeps the acknowledgement of a returning warning, but not of a critical alarm', () => {
    const known = { ...clearedAt(0), isAcknowledged: true }
    expect(raise(1_000, known)).toMatchObject({
      updated: { isAcknowledged: true },
      notification: { isSent: false },
    })
    expect(raise(1_000, known, 'critical')).toMatchObject({
      updated: { isAcknowledged: false },
      notification: { kind: 'alarmRaised', isSent: true },
    })
  })

  it('starts a new alarm if it gets worse after it was acknowledged', () => {
    const step = nextAlarmLife({ ...(begun(0) as AlarmLife), isAcknowledged: true }, worse(5))
    expect(step).toMatchObject({
      updated: { cleared: { at: 5 } },
      added: { isAcknowledged: false, severity: 'critical' },
      notification: { kind: 'alarmRaised', isSent: true },
    })
  })

  it('asks for acknowledgement again if it gets worse while shelved', () => {
    const shelved = { ...(begun(0) as AlarmLife), isAcknowledged: true, isShelved: true }
    expect(nextAlarmLife(shelved, worse(5))).toMatchObject({
      updated: { isAcknowledged: false, severity: 'critical' },
      added: null,
    })
  })

  it('updates the severity while it is not acknowledged', () => {
    expect(nextAlarmLife(begun(0) ?? undefined, worse(5))).toMatchObject({
      added: null,
      notification: { kind: 'alarmChanged', isSent: true },
    })
  })
})

const worse = (at: number): AlarmEvent => ({
  type: 'change',
  severity: 'critical',
  isWorse: true,
  at,
  isMuted: false,
})

describe('notifications', () => {
  it('are bounded in any flood: in ten minutes up to the chattering limit, and their ends', () => {
    const most = 2 * CHATTER_LIMITS[1].raises
    const fromSources = happening(90_000).filter(([, { type }]) =>
      ['raise', 'change', 'clear', 'look'].includes(type),
    )
    fc.assert(
      fc.property(fc.array(fromSources, { maxLength: 200 }), (happenings) => {
        const sent = live(happenings).flatMap(({ step, at }) => (step?.notification?.isSent ? [at] : []))
        const tooMany = sent.filter((at, i) => (sent[i + most] ?? Infinity) - at < CHATTER_QUIET_MS)
        expect(tooMany).toEqual([])
      }),
      { numRuns: 300 },
    )
  })

  it('stop while an alarm chatters, after one that says so', () => {
    const seen = live(
      Array.from({ length: 60 }, (_, i) => [
        5_000,
        i % 2 === 0
          ? { type: 'raise', severity: 'critical', isMuted: false }
          : { type: 'clear', isMuted: false },
      ]),
    )
    const sent = seen.flatMap(({ step }) => (step?.notification?.isSent ? [step.notification.kind] : []))
    expect(sent).toEqual(['alarmRaised', 'alarmCleared', 'alarmRaised', 'alarmCleared', 'alarmChattering'])
  })

  it('report a clear only if the alarm was reported', () => {
    fc.assert(
      fc.property(fc.array(happening(400_000), { maxLength: 40 }), (happenings) => {
        const sent = live(happenings).flatMap(({ step }) =>
          step?.notification?.isSent ? [step.notification.kind] : [],
        )
        const wrong = sent.filter(
          (kind, i) => kind === 'alarmCleared' && (i === 0 || sent[i - 1] === 'alarmCleared'),
        )
        expect(wrong).toEqual([])
      }),
    )
  })

  it.each([
    ['shelved', { isShelved: true }],
    ['inhibited', { isInhibited: true }],
    ['chattering', { isChattering: true }],
  ])('are not sent for an alarm that is %s', (_, more) => {
    for (const before of [{}, clearedAt(0)])
      for (const event of [
        worse(1_000),
        { type: 'raise', severity: 'critical', at: 1_000, isMuted: false },
        { type: 'clear', at: 1_000, isMuted: false },
      ] as const)
        expect(
          nextAlarmLife({ ...(begun(0) as AlarmLife), ...before, ...more }, event)?.notification?.isSent ??
            false,
        ).toBe(false)
  })

  it('are sent again when shelving ends and the alarm is still on', () => {
    const shelved = { ...(begun(0) as AlarmLife), isShelved: true }
    expect(nextAlarmLife(shelved, { type: 'shelfEnds' })?.notification).toEqual({
      kind: 'alarmRaised',
      isSent: true,
    })
    expect(nextAlarmLife({ ...shelved, ...clearedAt(5) }, { type: 'shelfEnds' })).toMatchObject({
      updated: { isShelved: false },
      notification: null,
    })
  })
})

describe('chattering', () => {
  it.each(CHATTER_LIMITS)('begins when raised $raises times in $within ms', ({ raises, withinMs }) => {
    const gap = Math.floor(withinMs / raises)
    const seen = live(
      Array.from({ length: raises * 2 }, (_, i) => [
        i % 2 === 0 ? gap - 1 : 1,
        i % 2 === 0
          ? { type: 'raise', severity: 'warning', isMuted: false }
          : { type: 'clear', isMuted: false },
      ]),
    )
    const chattering = seen
      .filter(({ event }) => event.type === 'raise')
      .map(({ step }) => (step?.updated ?? step?.added)?.isChattering)
    expect(chattering).toEqual([...Array.from({ length: raises - 1 }, () => false), true])
  })

  it('ends after ten quiet minutes, not before', () => {
    const life = { ...(begun(0) as AlarmLife), isChattering: true }
    const at = (ms: number) => nextAlarmLife(life, { type: 'look', at: ms })?.updated?.isChattering
    expect([at(CHATTER_QUIET_MS - 1), at(CHATTER_QUIET_MS)]).toEqual([true, false])
  })
})
