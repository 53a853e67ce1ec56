import { capabilityAt } from '../devices/kinds/capability-at.ts'
import { choiceOf, fieldShape } from '../devices/kinds/field-shape.ts'
import { readPath } from '../devices/kinds/history-fields.ts'
import type { Notification } from './calls.ts'
import { formatPower, formatQuantity } from '../kernel/quantity.ts'

/** Content of a notification, or of a digest, which has no row and names the worst notification that it counts. */
export interface NotificationContent extends Pick<Notification, 'Kind' | 'Severity' | 'Values'> {
  Worst?: Pick<Notification, 'Kind' | 'Severity' | 'Values'>
}

/** The words of the reader's language, from the namespaces `notifications`, `devices` and `automation` of the locales. */
export interface SentenceWords {
  /** A text filled with values; `count` chooses its plural form. */
  text(key: string, values?: Readonly<Record<string, string | number>>): string
  has(key: string): boolean
  /** A figure with the decimals that the reader wants. */
  number(value: number): string
  /** A moment, epoch ms, as the reader's clock shows it. */
  time(at: number): string
}

/** Figures and moments as a reader in a language and time zone is told them, with at most so many decimals. */
export function sentenceFormats(
  language: string,
  timeZone: string,
  decimals: number,
): Pick<SentenceWords, 'number' | 'time'> {
  const figure = new Intl.NumberFormat(language, { maximumFractionDigits: decimals })
  const moment = new Intl.DateTimeFormat(language, {
    timeZone,
    month: language.startsWith('zh') ? 'numeric' : 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  return {
    number: (value) => figure.format(value),
    // The runtime's own spaces are not what people type.
    time: (at) => moment.format(at).replace(/\s/g, ' '),
  }
}

/** Plain text: what people wrote is shown as they wrote it and is never markup. */
export interface Sentence {
  title: string
  /** May be empty, and of several lines. */
  body: string
}

/**
 * What a notification says, in whole sentences. Values that are missing are left out or shown as unknown, so that what another
 * version noted can be read.
 *
 * alarm…            kind (of the alarm), subject, room, home, severity, count, text, lifeSafety (1 of a danger to life); and of a state: peripheralType, field, value; of a
 *                   reading: device (of a rule), peripheralType, field, value, logical, limit, unit, crossesAt; else: since
 * alarmDigest       count, more (but the worst), critical, warning, cleared, home
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
  const said = (part: 'title' | 'body') => {
    const keys = [...(variant ? [`${place}.${part}_${variant}`] : []), `${place}.${part}`]
    const key = keys.find((one) => has(one, words))
    return key === undefined ? '' : words.text(key, filled)
  }
  const body =
    Kind.startsWith('alarm') || Kind.startsWith('guard') ? alarmBody(said('body'), filled) : said('body')
  const written = Kind === 'broadcast' ? '' : textOf(Values['text'])
  return {
    title: Worst ? titleOf(Worst, Values['more'], place, words) : said('title'),
    body: [body, written].filter((line) => line !== '').join('\n'),
  }
}

/** The title of a digest: the worst of what it counts, and how many others there are. */
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

/** A text may stand in plural forms only. */
const has = (key: string, words: SentenceWords) => words.has(key) || words.has(`${key}_other`)

/** Which of the sentences of a kind is meant, where there are several. */
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

/** Where it is, before what is said of it. */
const alarmBody = (body: string, { home }: Readonly<Record<string, string | number>>): string =>
  [home, body].filter((part) => part !== '' && part !== undefined).join('\n')

const textOf = (value: NotificationContent['Values'][string] | undefined): string =>
  typeof value === 'string' ? value : ''

/** Values that are moments, epoch ms. */
const MOMENTS = ['since', 'until', 'crossesAt']
/** Values that choose plural forms or are counted. */
const COUNTS = ['count', 'critical', 'warning', 'info', 'cleared']

/** Values that are power, kW. */
const POWERS = ['forecastKw', 'targetKw', 'lacksKw', 'kw']

/** The values as they stand in a sentence. */
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
  for (const name of [...POWERS, 'since', 'until', 'by']) filled[name] = unknown
  for (const name of COUNTS) filled[name] = 0
  for (const [name, value] of Object.entries(values)) {
    if (value === null) continue
    if (typeof value === 'string') filled[name] = value
    else if (MOMENTS.includes(name)) filled[name] = words.time(value)
    else if (POWERS.includes(name)) filled[name] = formatPower(value)
    else filled[name] = COUNTS.includes(name) ? value : words.number(value)
  }
  // What is counted of a failed run is its failed actions.
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

/** A device with the room that it is in. */
function inRoom(device: string, { room }: NotificationContent['Values'], words: SentenceWords): string {
  const name = textOf(room)
  return name === '' ? device : words.text('notifications:inRoom', { device, room: name })
}

/** What an alarm is about, e.g. "Smoke detector: smoke detected", "Chiller Current 52.3 A, above the limit of 50 A". */
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

/** Whether the name of a hub says itself that it is one, "Gateway 2": then no noun comes before it. */
const beginsWithNoun = (name: string, words: SentenceWords): boolean =>
  words
    .text('notifications:hubNouns')
    .split(',')
    .some((noun) => {
      const rest = name.toLowerCase().split(noun)
      // Not the first letters of another word, "Hubert"; Chinese writes no space after a noun.
      return rest[0] === '' && (!/^[a-z]/.test(noun) || !/^\p{L}/u.test(rest[1] ?? ''))
    })

/** A state that means alarm: in words of its own, else as the device's page says it. */
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

/** A reading beyond a limit, or on its way there. */
function readingOf(values: NotificationContent['Values'], words: SentenceWords, device: string): string {
  const name = nameOf(values, words, device)
  const { value, limit, crossesAt, logical, field } = values
  if (typeof value !== 'number') return words.text('notifications:facts.noData', { name })
  if (field === 'SilentFor')
    return words.text('notifications:facts.silentFor', { name: device, count: Math.floor(value / 60) })
  const said = { name, value: valueOf(values, 'value', words), limit: valueOf(values, 'limit', words) }
  if (typeof crossesAt === 'number')
    return words.text('notifications:facts.ahead', { ...said, at: words.time(crossesAt) })
  if (typeof limit !== 'number' || logical === '=' || logical === '!=' || logical === 'between')
    return words.text('notifications:facts.is', said)
  if ((logical === '>' || logical === '>=') && value < limit)
    return words.text('notifications:facts.wasAbove', said)
  if ((logical === '<' || logical === '<=') && value > limit)
    return words.text('notifications:facts.wasBelow', said)
  const isBelow = logical === '<' || logical === '<=' || (logical === 'outside' && value < limit)
  return words.text(`notifications:facts.${isBelow ? 'below' : 'above'}`, said)
}

/** The name that a value of the field has, e.g. `smoke`; undefined for figures and relays. */
function choiceName({ peripheralType, field, value }: NotificationContent['Values']): string | undefined {
  const at = capabilityAt(textOf(peripheralType), textOf(field))
  const shape = at && fieldShape(at.capability, at.field)
  return shape?.as === 'choice' ? choiceOf(shape.choices, value)?.[1] : undefined
}

/** What is measured, of which device: "Chiller Current". */
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

/** A value of the field with its unit, or in words. */
function valueOf(
  values: NotificationContent['Values'],
  which: 'value' | 'limit',
  words: SentenceWords,
): string {
  const value = values[which]
  if (typeof value !== 'number') return words.text('notifications:unknown')
  const at = capabilityAt(textOf(values['peripheralType']), textOf(values['field']))
  const shape = at && fieldShape(at.capability, at.field)
  if (shape?.as === 'onOff') return words.text(`devices:state.${value === 1 ? 'on' : 'off'}`)
  const choice = shape?.as === 'choice' ? choiceOf(shape.choices, value)?.[1] : undefined
  if (choice !== undefined) return words.text(`devices:values.${choice}`)
  const unit = textOf(values['unit']) || (at?.capability.units[at.field] ?? '')
  const shown = formatQuantity(value, unit, words.number)
  const inWords = `devices:units.${shown.unit}`
  if (shown.unit === '') return shown.figure
  return words.text('devices:figure', {
    figure: shown.figure,
    unit: words.has(inWords) ? words.text(inWords) : shown.unit,
  })
}
