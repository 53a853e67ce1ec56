import type { AutomationRule } from '../../../../contract/automation/automation.ts'
import type { AlarmPart, Recipients } from '../../../../contract/automation/alarm-part.ts'
import {
  type Condition,
  type Conditions,
  HOME_MEASURES,
  isMeterSum,
} from '../../../../contract/automation/condition.ts'
import type {
  BookingTrigger,
  Moment,
  Repeating,
  Single,
  Window,
} from '../../../../contract/automation/schedule.ts'
import type { SubjectShape } from '../../../../contract/automation/subject-fields.ts'
import type { EditedAction } from '../../../domain/automation/targets/target.ts'
import {
  actionsOf,
  onlyActionOf,
  type ActionNames,
} from '../../../domain/automation/words/actions-sentence.ts'
import {
  COMPARED,
  listed,
  phrase,
  type Part,
  type Phrase,
  durationOf,
  intervalPhrase,
} from '../../../domain/automation/words/phrase.ts'
import type { TKey } from '../../../lib/i18n/i18n.ts'

/** The parts of a stored or edited rule that its sentence needs. */
export type DescribedRule = Pick<
  AutomationRule,
  'Schedule' | 'Booking' | 'Conditions' | 'EndDuration' | 'Alarm' | 'Notify'
> & {
  Actions: readonly EditedAction[]
  EndActions: 'restore' | readonly EditedAction[]
}

/** States with wording of their own, e.g. "detects motion". */
export const PLAIN_STATES = [
  'on',
  'off',
  'online',
  'offline',
  'motion',
  'noMotion',
  'human',
  'noHuman',
  'doorOpen',
  'doorClosed',
  'smoke',
  'fire',
  'smokeNormal',
  'smokeInstallation',
  'smokeFault',
  'shock',
  'noShock',
] as const
export type PlainState = (typeof PLAIN_STATES)[number]

/** Wording of a negated state. */
const OPPOSITES = {
  on: 'off',
  off: 'on',
  online: 'offline',
  offline: 'online',
  motion: 'noMotion',
  noMotion: 'motion',
  human: 'noHuman',
  noHuman: 'human',
  doorOpen: 'doorClosed',
  doorClosed: 'doorOpen',
  smoke: 'noSmoke',
  fire: 'noFire',
  smokeNormal: 'smokeTrouble',
  smokeInstallation: 'smokeInstalled',
  smokeFault: 'noSmokeFault',
  shock: 'noShock',
  noShock: 'shock',
} as const satisfies Record<PlainState, string>

/** Names in a rule's sentence, in the user's language. */
export interface RuleNames extends ActionNames {
  /** Subject, field and values of a condition, with units. */
  conditionOf(condition: Condition): {
    name: string
    field: string
    values: readonly string[]
    /** Type of the field's value; 'number' if unknown. */
    shape?: SubjectShape | undefined
    /** State that the value means, if it has wording of its own. */
    state?: PlainState | undefined
  }
  conferenceRoom(id: string): string
  /** A timestamp on the home's clock. */
  moment(at: number): string
  /** A calendar day, `2026-03-04`. */
  day(text: string): string
  /** A day of the week, 0 is Sunday. */
  weekday(day: number): string
}

/** Days of the week in display order. */
export const WEEK = [1, 2, 3, 4, 5, 6, 0] as const

/** A rule in words: what it does and when, and its details, such as recipients, clearing and hours. */
export interface RuleSentence<Text = Part> {
  main: Text
  /** Undefined if there are none. */
  notes: Text | undefined
}

/** Stands for what a rule being edited does not say yet. */
export const BLANK = '…'

/** Description of a rule. */
export function sentenceOf(rule: DescribedRule, names: RuleNames): RuleSentence {
  const recipients = rule.Notify && phrase(...recipientsPhrase(rule.Notify.To))
  const isNotifyOnly = rule.Alarm === undefined && rule.Actions.length === 0
  const actions = isNotifyOnly && recipients ? recipients : actionsOf(rule.Actions, names)
  const sentence =
    rule.Alarm !== undefined && rule.Conditions !== undefined
      ? alarmOf(rule, rule.Alarm, rule.Conditions, names)
      : rule.Conditions !== undefined
        ? ofConditions(rule, rule.Conditions, actions, names)
        : rule.Booking !== undefined
          ? { main: ofBooking(rule.Booking, actions, names), notes: [] }
          : rule.Schedule === undefined
            ? { main: phrase('automation:rule.never', { actions }), notes: [] }
            : 'Weekdays' in rule.Schedule
              ? ofRepeating(rule.Schedule, actions, names)
              : { main: ofSingle(rule.Schedule, actions, names), notes: [] }
  const notes = [...sentence.notes, ...(recipients && !rule.Alarm && !isNotifyOnly ? [recipients] : [])]
  return {
    main: sentence.main,
    notes: notes.length === 0 ? undefined : { parts: notes, by: 'automation:rule.noteComma' },
  }
}

/** Recipients, for use in a sentence. */
const recipientsPhrase = (to: Recipients): [TKey, Phrase['values']?] =>
  to === 'readers'
    ? ['automation:rule.told.readers']
    : ['automation:rule.told.chosen', { count: to.Users.length + to.Departments.length }]

/** Description of an alarm: its conditions, recipients, actions and end. */
function alarmOf(
  { Actions, Notify }: DescribedRule,
  { Severity, ClearAfter, NoData, Ahead, Escalate, Shed }: AlarmPart,
  conditions: Conditions,
  names: RuleNames,
) {
  const { Period } = conditions
  const { condition, holdKey, time } = whenOf(conditions, names)
  const severity = phrase(`automation:rule.raises.${Severity}`)
  const raisedText = phrase(`automation:rule.raises.${holdKey}`, {
    when: condition,
    time,
    severity,
  })
  const actionsText =
    Actions.length === 0
      ? raisedText
      : phrase('automation:rule.raises.doing', { main: raisedText, actions: actionsOf(Actions, names) })
  const notes: Phrase[] = [phrase(...recipientsPhrase(Notify?.To ?? 'readers'))]
  if (ClearAfter > 0) notes.push(phrase('automation:rule.notes.clears', { time: durationOf(ClearAfter) }))
  if (Period.length > 0) notes.push(periodOf(Period, names))
  if (Ahead) notes.push(phrase('automation:rule.notes.ahead'))
  if (NoData === 'alarm') notes.push(phrase('automation:rule.notes.noData'))
  for (const { After, To, Channels = [] } of Escalate) {
    const step = { time: durationOf(After * 60), told: phrase(...recipientsPhrase(To)) }
    notes.push(
      Channels.length > 0
        ? phrase('automation:rule.notes.escalatesChannels', { ...step, count: Channels.length })
        : phrase('automation:rule.notes.escalates', step),
    )
  }
  if (Shed) notes.push(phrase('automation:rule.notes.sheds', { count: Shed.Loads.length }))
  return { main: actionsText, notes }
}

const periodOf = (windows: readonly Window[], names: RuleNames): Phrase =>
  phrase('automation:rule.notes.period', {
    windows: { parts: windows.map((one) => windowOf(one, names)), by: 'automation:rule.windowAnd' },
  })

/** `main` with the hours after which everything is switched off again. */
const offAfter = (main: Phrase, hours: number): Phrase =>
  hours === 0 ? main : phrase('automation:rule.offAfter', { main, count: hours })

function ofRepeating(schedule: Repeating, actions: Part, names: RuleNames) {
  const { Weekdays, At, Days, Except, From, Through, OffAfter } = schedule
  const main = phrase('automation:rule.repeating', {
    days: daysOf(Weekdays, Days, names, 'days'),
    time: timeOf(At),
    actions,
  })
  const notes: Phrase[] = []
  if (Days === 'workdays') notes.push(phrase('automation:rule.notes.workdays'))
  // Off-peak days on every weekday are part of the sentence and need no note.
  if (Days === 'offPeakDays' && Weekdays.length < WEEK.length)
    notes.push(phrase('automation:rule.notes.offPeakDays'))
  if (Except.length > 0) notes.push(phrase('automation:rule.notes.except', { count: Except.length }))
  const [from, through] = [From && names.day(From), Through && names.day(Through)]
  if (from && through) notes.push(phrase('automation:rule.notes.between', { from, through }))
  else if (from) notes.push(phrase('automation:rule.notes.from', { from }))
  else if (through) notes.push(phrase('automation:rule.notes.through', { through }))
  return { main: offAfter(main, OffAfter), notes }
}

const ofSingle = ({ At, OffAfter }: Single, actions: Part, names: RuleNames): Phrase =>
  offAfter(
    phrase('automation:rule.single', { at: Number.isNaN(At) ? BLANK : names.moment(At), actions }),
    OffAfter,
  )

const ofBooking = (
  { ConferenceRoomID, When, Minutes }: BookingTrigger,
  actions: Part,
  names: RuleNames,
): Phrase => {
  const room = ConferenceRoomID === '' ? BLANK : names.conferenceRoom(ConferenceRoomID)
  const minutes = durationOf(Minutes * 60)
  return Minutes === 0
    ? phrase(`automation:rule.booking.${When === 'before' ? 'start' : When}`, { room, actions })
    : phrase(`automation:rule.bookingMinutes.${When}`, { room, minutes, actions })
}

function ofConditions(
  { Actions, EndDuration, EndActions }: DescribedRule,
  conditions: Conditions,
  actions: Part,
  names: RuleNames,
) {
  const { Period, Repeat, RetriggerInterval } = conditions
  const { condition, holdKey, time } = whenOf(conditions, names)
  const beginText = phrase(`automation:rule.${holdKey}`, { when: condition, time, actions })
  const endText =
    EndDuration === 0 ? beginText : endOf(beginText, { Actions, EndActions }, durationOf(EndDuration), names)
  const notes: Phrase[] = []
  if (Period.length > 0) notes.push(periodOf(Period, names))
  if (Repeat) notes.push(phrase('automation:rule.notes.repeat', { every: intervalPhrase(RetriggerInterval) }))
  return { main: endText, notes }
}

/** `main` with the actions once the conditions are no longer true. */
function endOf(
  main: Phrase,
  { Actions, EndActions }: Pick<DescribedRule, 'Actions' | 'EndActions'>,
  time: Phrase,
  names: RuleNames,
): Phrase {
  if (EndActions === 'restore') return phrase('automation:rule.restoreAfter', { main, time })
  const [first, last] = [onlyActionOf(Actions, names), onlyActionOf(EndActions, names)]
  // Do not repeat the name of the same target.
  if (first && last && first.name === last.name && (last.effect === 'on' || last.effect === 'off'))
    return phrase(`automation:rule.endBy.${last.effect}`, { main, time })
  return phrase('automation:rule.endAfter', { main, time, actions: actionsOf(EndActions, names) })
}

/** Conditions of a rule, and the time for which they must be true. */
function whenOf(
  { PeripheralUIDs, Logical, For }: Conditions,
  names: RuleNames,
): { condition: Part; holdKey: 'when' | 'whenFor' | 'whenHolding'; time: Phrase } {
  const [firstUid, secondUid] = PeripheralUIDs
  // "Silent for 2 minutes", true for 3 minutes, is described as "has not reported for 5 minutes".
  const isSilence = (Logical === 'AND' || !secondUid) && PeripheralUIDs.every(isLongSilence)
  const time = durationOf(For)
  const describe = (isPerfect: boolean, extraSeconds = 0): Part => ({
    parts: PeripheralUIDs.map((condition) => conditionOf(condition, names, isPerfect, extraSeconds)),
    ...joinOf(Logical, PeripheralUIDs.length),
  })
  if (For === 0 || isSilence) return { condition: describe(false, For), holdKey: 'when', time }
  const isHeld =
    firstUid !== undefined && !secondUid && firstUid.Field !== 'SilentFor' && !isMeterSum(firstUid.Field)
  return { condition: describe(isHeld), holdKey: isHeld ? 'whenFor' : 'whenHolding', time }
}

/** Separator of conditions: commas, and the word before the last of three or more. */
const joinOf = (logical: Conditions['Logical'], count: number): { by: TKey; last?: TKey } => {
  const join = logical === 'AND' ? 'allOf' : 'anyOf'
  return count > 2
    ? { by: `automation:rule.${join}Comma`, last: `automation:rule.${join}Last` }
    : { by: `automation:rule.${join}` }
}

const isLongSilence = ({ Field, Logical }: Condition): boolean =>
  Field === 'SilentFor' && (Logical === '>' || Logical === '>=')

/**
 * One condition, e.g. "the temperature of Lobby is above 28 °C".
 *
 * isPerfect    uses the perfect tense: "has been above 28 °C"
 * extraSeconds  seconds to add to the duration of a silence
 */
export function conditionOf(
  condition: Condition,
  names: RuleNames,
  isPerfect = false,
  extraSeconds = 0,
): Part {
  const { PeripheralUID, Field, Status, Logical } = condition
  if (PeripheralUID === '' || Field === '') return BLANK
  const { name, field, values, state, shape = 'number' } = names.conditionOf(condition)
  const compared = COMPARED[Logical]
  if (Field === 'SilentFor') {
    const [time = 0, endTime = 0] = [Status].flat()
    return phrase(`automation:rule.silent.${compared}`, {
      name,
      time: durationOf(time + extraSeconds),
      upper: durationOf(endTime),
    })
  }
  const tense = isPerfect ? 'held' : 'now'
  if (state !== undefined && (Logical === '=' || Logical === '!='))
    return phrase(`automation:rule.plain.${tense}.${Logical === '=' ? state : OPPOSITES[state]}`, { name })
  if (Logical === 'changed' && shape === 'counter') return phrase('automation:rule.pressed', { name })
  const [value = '', upperValue = ''] = values
  if (isMeterSum(Field)) {
    const amount = phrase(`automation:rule.amount.${compared}`, { value, upper: upperValue })
    return phrase(`automation:rule.sums.${Field}`, { name, amount })
  }
  const measure = HOME_MEASURES.find((measureName) => measureName === Field)
  const subject =
    measure === undefined
      ? phrase('automation:rule.subject.field', { name, field })
      : phrase(`automation:rule.subject.${measure}`)
  const isEqual = Logical === '=' || Logical === '!='
  if (shape === 'onOff' && isEqual) {
    const isOn = (Status === 1) === (Logical === '=')
    return phrase(`automation:rule.relay.${tense}.${isOn ? 'on' : 'off'}`, { name, field })
  }
  if (shape === 'choice' && isEqual)
    return phrase(`automation:rule.named.${tense}.${compared === 'is' ? 'is' : 'isNot'}`, { subject, value })
  const of = (text: string, bound: 'only' | 'lower' | 'upper'): Part =>
    measure === 'DemandShare' ? phrase(`automation:rule.ofContract.${bound}`, { value: text }) : text
  const isRange = Logical === 'between' || Logical === 'outside'
  return phrase(`automation:rule.condition.${tense}.${compared}`, {
    subject,
    value: of(value, isRange ? 'lower' : 'only'),
    upper: of(upperValue, 'upper'),
  })
}

/** Time window, e.g. "Monday to Friday 18:00 to 08:00 the next day". */
export function windowOf({ Weekdays, From, To, Days }: Window, names: RuleNames): Phrase {
  const isOver = typeof From === 'number' && typeof To === 'number' && To <= From
  const span = phrase(isOver ? 'automation:rule.spanOver' : 'automation:rule.span', {
    from: momentOf(From),
    to: momentOf(To),
  })
  if (Days === 'all' && Weekdays.length === WEEK.length) return span
  const days = daysOf(Weekdays, Days, names, 'windowDays')
  return phrase('automation:rule.window', { days, span })
}

type Style = 'days' | 'windowDays'

/** Days of the week in as few words as usual, for the beginning of a sentence or within one. */
function daysOf(weekdays: readonly number[], kind: Window['Days'], names: RuleNames, style: Style): Part {
  const days = WEEK.filter((day) => weekdays.includes(day))
  const isWhole = days.length === WEEK.length
  const isWorkingWeek = days.length === 5 && !days.includes(6) && !days.includes(0)
  if (kind === 'workdays' && (isWhole || isWorkingWeek)) return phrase(`automation:rule.${style}.workdays`)
  if (kind === 'offPeakDays' && isWhole) return phrase(`automation:rule.${style}.offPeakDays`)
  if (isWhole) return phrase(`automation:rule.${style}.every`)
  if (days.length === 2 && days.includes(6) && days.includes(0))
    return phrase(`automation:rule.${style}.weekend`)
  const [first, last] = [days[0], days.at(-1)]
  const isRange =
    first !== undefined &&
    last !== undefined &&
    days.length > 2 &&
    WEEK.indexOf(last) - WEEK.indexOf(first) === days.length - 1
  return isRange
    ? phrase(`automation:rule.${style}.range`, { first: names.weekday(first), last: names.weekday(last) })
    : phrase(`automation:rule.${style}.some`, { days: listed(days.map(names.weekday)) })
}

const padTwoDigits = (figure: number): string => String(figure).padStart(2, '0')
/** Minutes since midnight as a clock time, "08:00". */
export const clockOf = (minute: number): string =>
  `${padTwoDigits(Math.floor(minute / 60))}:${padTwoDigits(minute % 60)}`

/** Time of day with its preposition, e.g. "at 08:00", "30 minutes before sunset". */
function timeOf(moment: Moment): Phrase {
  if (typeof moment === 'number') return phrase('automation:rule.at', { time: momentOf(moment) })
  return moment.Offset === 0
    ? phrase('automation:rule.atSun', { time: momentOf(moment) })
    : (momentOf(moment) as Phrase)
}

/** Time of day without a preposition. */
function momentOf(moment: Moment): Part {
  if (typeof moment === 'number') return Number.isNaN(moment) ? BLANK : clockOf(moment)
  const { Sun, Offset } = moment
  if (Offset === 0) return phrase(`automation:rule.sun.${Sun}`)
  return phrase(`automation:rule.${Offset < 0 ? 'before' : 'after'}.${Sun}`, {
    time: durationOf(Math.abs(Offset) * 60),
  })
}
