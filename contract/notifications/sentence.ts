import { formatWhen } from '../time/format-time.ts'
import { capabilityAt } from '../devices/kinds/capability-at.ts'
import { choiceOf, fieldShape } from '../devices/kinds/field-shape.ts'
import { readPath } from '../devices/kinds/history-fields.ts'
import type { Notification } from './calls.ts'
import {
  amountText,
  formatLimit,
  formatLimitKw,
  formatNumber,
  formatPower,
  formatReading,
} from '../kernel/numbers.ts'

/** Content of a notification, or of a digest, which has no row and names the most severe notification that it counts. */
export interface NotificationContent extends Pick<Notification, 'Kind' | 'Severity' | 'Values'> {
  Worst?: Pick<Notification, 'Kind' | 'Severity' | 'Values'>
}

/** Texts in the reader's language, from the namespaces `notifications`, `devices` and `automation` of the locales. */
export interface SentenceWords {
  /** Translates a key and fills in values; `count` selects the plural form. */
  text(key: string, values?: Readonly<Record<string, string | number>>): string
  has(key: string): boolean
  /** Formats a number with the reader's decimals. */
  number(value: number): string
  /** Formats a timestamp, epoch ms, in the reader's time zone. */
  time(at: number): string
}

/** Formats for numbers and times by language and time zone, with a maximum number of decimals. */
export function sentenceFormats(
  language: string,
  timeZone: string,
  decimals: number,
): Pick<SentenceWords, 'number' | 'time'> {
  return {
    number: (value) => formatNumber(value, decimals),
    // With the date: a message is read later.
    time: (at) => formatWhen(at, language, timeZone, 'near'),
  }
}

/** Plain text: user input is included verbatim and is never markup. */
export interface Sentence {
  title: string
  /** May be empty or have several lines. */
  body: string
}

/**
 * Composes the title and body of a notification. Missing values are omitted or shown as unknown, so that notifications of other versions
 * are readable. Values by kind:
 *
 * alarm…            kind (of the alarm), subject, room, home, severity, count, text, lifeSafety (1 for a danger to life); for a state:
 *                   peripheralType, field, value; for a reading: device (of a rule), peripheralType, field, value, logical, limit, unit,
 *                   crossesAt; else: since
 * alarmDigest       count, more (without the worst), critical, warning, cleared, home
 * guardCannotHold   subject, forecastKw, targetKw, lacksKw, until       guardShed         subject, count, kw, forecastKw, targetKw
 * guardPartialData, guardTooSlow, guardNoContract: subject, since      rule…             subject, home, text, failed, until, by
 * schedulesMissed   count, subjects (names by line), home                  maintenanceEnded  subject, home
 * digest            count, more, critical, warning, info                channelFailed     subject, reason
 * broadcast         title, text
 */
export function sentenceOf(
  { Kind, Severity, Values, Worst }: NotificationContent,
  words: SentenceWords,
): Sentence {
  const filled = fillings(Values, words)
  const variant = variantOf(Kind, Severity, Values)
  const place = `notifications:kinds.${Kind}`
  const textOfPart = (part: 'title' | 'body') => {
    const keys = [...(variant ? [`${place}.${part}_${variant}`] : []), `${place}.${part}`]
    const key = keys.find((candidate) => has(candidate, words))
    return key === undefined ? '' : words.text(key, filled)
  }
  const body =
    Kind.startsWith('alarm') || Kind.startsWith('guard')
      ? alarmBody(textOfPart('body'), filled)
      : textOfPart('body')
  const written = Kind === 'broadcast' ? '' : textOf(Values['text'])
  return {
    title: Worst ? titleOf(Worst, Values['more'], place, words) : textOfPart('title'),
    body: [body, written].filter((line) => line !== '').join('\n'),
  }
}

/** Title of a digest: its most severe notification, and the number of others. */
function titleOf(
  worst: NonNullable<NotificationContent['Worst']>,
  more: NotificationContent['Values'][string] | undefined,
  place: string,
  words: SentenceWords,
): string {
  const { title } = sentenceOf(worst, words)
  return typeof more === 'number' && more > 0
    ? words.text(`${place}.title_worst`, { worst: title, count: more })
    : title
}

/** Whether a text exists, possibly in plural forms only. */
const has = (key: string, words: SentenceWords) => words.has(key) || words.has(`${key}_other`)

/** Variant of a kind's sentence, if it has several. */
function variantOf(
  kind: NotificationContent['Kind'],
  severity: NotificationContent['Severity'],
  { home, until, lacksKw, count, failed, subjects, cleared }: NotificationContent['Values'],
): string | undefined {
  if (kind === 'alarmRaised' || kind === 'alarmEscalated')
    return severity === 'critical' ? severity : 'warning'
  if (kind === 'alarmDigest' && typeof cleared === 'number' && cleared > 0)
    return count === 0 ? 'onlyCleared' : 'withCleared'
  if (kind === 'ruleRests') return typeof until === 'number' ? 'until' : undefined
  if (kind === 'guardCannotHold') return typeof lacksKw === 'number' ? undefined : 'unknown'
  if (kind === 'ruleFailed') return typeof failed === 'number' ? 'some' : undefined
  if (kind === 'schedulesMissed') return subjects == null ? undefined : 'named'
  if (kind === 'maintenanceEnded') return home == null ? undefined : 'ofHome'
  return undefined
}

/** Body of an alarm, preceded by its home. */
const alarmBody = (body: string, { home }: Readonly<Record<string, string | number>>): string =>
  [home, body].filter((part) => part !== '' && part !== undefined).join('\n')

const textOf = (value: NotificationContent['Values'][string] | undefined): string =>
  typeof value === 'string' ? value : ''

/** Keys of timestamps, epoch ms. */
const MOMENTS = ['since', 'until', 'crossesAt']
/** Keys that select plural forms or are counts. */
const COUNTS = ['count', 'critical', 'warning', 'info', 'cleared']

/** Keys of powers, kW. */
const POWERS = ['forecastKw', 'lacksKw', 'kw']

function fillings(
  values: NotificationContent['Values'],
  words: SentenceWords,
): Record<string, string | number> {
  const unknown = words.text('notifications:unknown')
  const filled: Record<string, string | number> = {
    home: '',
    subject: words.text('notifications:someSubject'),
    title: '',
    text: '',
  }
  for (const name of [...POWERS, 'targetKw', 'since', 'until', 'by']) filled[name] = unknown
  for (const name of COUNTS) filled[name] = 0
  for (const [name, value] of Object.entries(values)) {
    if (value === null) continue
    if (typeof value === 'string') filled[name] = value
    else if (MOMENTS.includes(name)) filled[name] = words.time(value)
    else if (POWERS.includes(name)) filled[name] = formatPower(value)
    else if (name === 'targetKw') filled[name] = formatLimitKw(value)
    else filled[name] = COUNTS.includes(name) ? value : words.number(value)
  }
  // The count of a failed run is the number of failed actions.
  if (typeof values['failed'] === 'number') filled['count'] = values['failed']
  const ofRule = values['kind'] === 'rule' || values['kind'] === 'ahead'
  if (!ofRule) filled['subject'] = inRoom(filled['subject'] as string, values, words)
  filled['fact'] = factOf(values, words, filled['subject'] as string)
  filled['reason'] = reasonOf(values, words)
  return filled
}

function reasonOf({ reason }: NotificationContent['Values'], words: SentenceWords): string {
  const key = `notifications:channelErrors.${textOf(reason)}`
  return words.has(key) ? words.text(key) : words.text('notifications:unknown')
}

function inRoom(device: string, { room }: NotificationContent['Values'], words: SentenceWords): string {
  const name = textOf(room)
  return name === '' ? device : words.text('notifications:inRoom', { device, room: name })
}

/** Description of an alarm, e.g. "Smoke detector: smoke detected", "Chiller Current 52.3 A, above the limit of 50 A". */
function factOf(values: NotificationContent['Values'], words: SentenceWords, subject: string): string {
  const { kind, since } = values
  if (kind === 'silent' || kind === 'hubLost') {
    const at = typeof since === 'number' ? words.time(since) : words.text('notifications:unknown')
    const key = kind === 'hubLost' && beginsWithNoun(subject, words) ? 'namedHubLost' : kind
    return words.text(`notifications:facts.${key}`, { subject, since: at })
  }
  if (typeof values['field'] !== 'string') return subject
  if (kind === 'state') return stateOf(values, words, subject)
  const ofRule = kind === 'rule' || kind === 'ahead'
  const device = textOf(values['device'])
  const fact = readingOf(values, words, ofRule ? device && inRoom(device, values, words) : subject)
  return ofRule ? words.text('notifications:facts.ofRule', { subject, fact }) : fact
}

/** Whether a hub's name already begins with a noun for it, "Gateway 2", so that no noun is needed before it. */
const beginsWithNoun = (name: string, words: SentenceWords): boolean =>
  words
    .text('notifications:hubNouns')
    .split(',')
    .some((noun) => {
      const nameParts = name.toLowerCase().split(noun)
      // Not the first letters of another word, "Hubert"; Chinese writes no space after a noun.
      return nameParts[0] === '' && (!/^[a-z]/.test(noun) || !/^\p{L}/u.test(nameParts[1] ?? ''))
    })

/** Alarm state: its own text if there is one, else the value as shown on the device's page. */
function stateOf(values: NotificationContent['Values'], words: SentenceWords, subject: string): string {
  const name = choiceName(values)
  const key = `notifications:states.${name}`
  return name !== undefined && words.has(key)
    ? words.text('notifications:facts.state', { subject, state: words.text(key) })
    : words.text('notifications:facts.is', {
        name: nameOf(values, words, subject),
        value: valueOf(values, 'value', words),
      })
}

/** Reading beyond a limit, or approaching it. */
function readingOf(values: NotificationContent['Values'], words: SentenceWords, device: string): string {
  const name = nameOf(values, words, device)
  const { value, limit, crossesAt, logical, field } = values
  if (typeof value !== 'number') return words.text('notifications:facts.noData', { name })
  if (field === 'SilentFor')
    return words.text('notifications:facts.silentFor', { name: device, count: Math.floor(value / 60) })
  const texts = { name, value: valueOf(values, 'value', words), limit: valueOf(values, 'limit', words) }
  if (typeof crossesAt === 'number')
    return words.text('notifications:facts.ahead', { ...texts, at: words.time(crossesAt) })
  if (typeof limit !== 'number' || logical === '=' || logical === '!=' || logical === 'between')
    return words.text('notifications:facts.is', texts)
  if ((logical === '>' || logical === '>=') && value < limit)
    return words.text('notifications:facts.wasAbove', texts)
  if ((logical === '<' || logical === '<=') && value > limit)
    return words.text('notifications:facts.wasBelow', texts)
  const isBelow = logical === '<' || logical === '<=' || (logical === 'outside' && value < limit)
  return words.text(`notifications:facts.${isBelow ? 'below' : 'above'}`, texts)
}

/** Name of a choice field's value, e.g. `smoke`; undefined for numbers and relays. */
function choiceName({ peripheralType, field, value }: NotificationContent['Values']): string | undefined {
  const at = capabilityAt(textOf(peripheralType), textOf(field))
  const shape = at && fieldShape(at.capability, at.field)
  return shape?.as === 'choice' ? choiceOf(shape.choices, value)?.[1] : undefined
}

/** Device and measured quantity: "Chiller Current". */
function nameOf(
  { peripheralType, field }: NotificationContent['Values'],
  words: SentenceWords,
  device: string,
): string {
  const path = textOf(field)
  const at = capabilityAt(textOf(peripheralType), path)
  const { zone, modbusKey } = readPath(path)
  const label = at?.capability.labels?.[at.field] ?? at?.field ?? modbusKey ?? path
  const parts = [
    device,
    zone === undefined ? '' : words.text('devices:climate.zone', { number: zone }),
    fieldName(label, words),
  ]
  return parts.filter((part) => part !== '').join(' ')
}

function fieldName(label: string, words: SentenceWords): string {
  const keys = [`automation:rule.fields.${label}`, `devices:fields.${label}`]
  const known = keys.find((key) => words.has(key))
  if (known) return words.text(known)
  const [, family = '', number = ''] = /^(.*\D)(\d+)$/.exec(label) ?? []
  const key = `devices:fields.${family}`
  return words.has(key) ? words.text('devices:numbered', { name: words.text(key), number }) : label
}

/** Value of the field with its unit, or as text. */
function valueOf(
  values: NotificationContent['Values'],
  bound: 'value' | 'limit',
  words: SentenceWords,
): string {
  const value = values[bound]
  if (typeof value !== 'number') return words.text('notifications:unknown')
  const at = capabilityAt(textOf(values['peripheralType']), textOf(values['field']))
  const shape = at && fieldShape(at.capability, at.field)
  if (shape?.as === 'onOff') return words.text(`devices:state.${value === 1 ? 'on' : 'off'}`)
  const choice = shape?.as === 'choice' ? choiceOf(shape.choices, value)?.[1] : undefined
  if (choice !== undefined) return words.text(`devices:values.${choice}`)
  const unit = textOf(values['unit']) || (at?.capability.units[at.field] ?? '')
  const amount = bound === 'limit' ? formatLimit(value, unit) : formatReading(value, unit, words.number)
  const unitKey = `devices:units.${amount.unit}`
  return amountText({
    figure: amount.figure,
    unit: words.has(unitKey) ? words.text(unitKey) : amount.unit,
  })
}
