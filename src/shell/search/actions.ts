import { deviceType } from '../../../contract/devices/kinds/registry.ts'
import type { CommandValues } from '../../../contract/devices/capabilities/capability.ts'
import {
  may,
  type FeatureKey,
  type Operation,
  type PermissionSubject,
  SOMEWHERE,
} from '../../../contract/kernel/permissions.ts'
import type { HomeWithRooms } from '../../../contract/homes/home.ts'
import {
  SWITCHES_HIDDEN,
  type DeviceSnapshot,
  type Peripheral,
} from '../../../contract/devices/peripheral.ts'
import { roomValues, type RoomValues } from '../../../contract/devices/room-values.ts'
import type { RoomDevices } from '../../../contract/devices/room-devices.ts'
import { mayOpen } from '../../navigation/may-open.ts'
import { pathTo, type PathName } from '../../navigation/paths.ts'
import { foldText } from '../../../contract/kernel/text.ts'

/** Actions of the search, available on every page. */
export const VERBS = [
  'lightsOff',
  'lightsOn',
  'climateOff',
  'climateOn',
  'temperature',
  'deviceOff',
  'deviceOn',
  'lastMonth',
  'whyMore',
  'export',
  'bookNow',
  'visitor',
  'invite',
  'addHub',
  'acknowledge',
  'light',
  'dark',
  'system',
  'zh',
  'en',
  'normal',
  'compact',
  'print',
  'copyLink',
  'tour',
  'keys',
  'signOut',
] as const
export type Verb = (typeof VERBS)[number]

export type ExecutableAction =
  | { room: { HomeID: string; RoomID: number; Only: RoomDevices; Values: RoomValues } }
  | { device: { HomeID: string; PeripheralUID: string; Values: CommandValues } }
  | { to: string }
  | { verb: Verb }

export interface SearchAction {
  /** Equal for equal actions, to recognize recent ones. */
  id: string
  verb: Verb
  /** Object of the verb, if any, and the place that contains it. */
  object?: { name: string; where: string }
  /** Target temperature, °C. */
  degrees?: number
  action: ExecutableAction
}

export interface SearchContext {
  subject: PermissionSubject | undefined
  homes: readonly HomeWithRooms[]
  /** Devices of all homes. */
  devices: DeviceSnapshot | undefined
  current: HomeWithRooms | undefined
  hasScreen: (name: PathName) => boolean
  /** Whether this is the demo, which has a tour. */
  hasTour: boolean
}

/** Phrases of each verb in both languages; typed text need only match one of them. */
export type Phrases = Readonly<Record<Verb, readonly string[]>>

const CHINESE = '〇一二三四五六七八九'
/** Text normalized to one spelling: full-width letters, 三樓 and 3樓 as 3f, 度 and °c. */
export const normalizeText = (text: string): string =>
  foldText(text)
    .replace(/([一二三四五六七八九])(?=樓)/g, (digit) => String(CHINESE.indexOf(digit)))
    .replace(/(\d+)\s*(?:樓|f\b|floor\b|\/f\b)/g, '$1f')
    .replace(/(?:地下|b)(\d+)f/g, 'b$1f')
    .replace(/\s+/g, ' ')
    .trim()

/** Minimum length of a verb's beginning: one Chinese character carries more meaning than one Latin letter. */
const isEnough = (text: string): boolean => text.length >= (/^[\x20-\x7f]*$/.test(text) ? 3 : 1)

const DEGREES = /\b(1[6-9]|2\d|30)(\.5)?\s*(?:度|°c?|c\b)/
const NUMBER = /\b(1[6-9]|2\d|30)(\.5)?\s*(?:°c?|c\b)?/

interface Meant {
  verb: Verb
  /** Remaining text: the object. */
  objectText: string
  /** Only the beginning of the verb was typed. */
  isBegun: boolean
}

/** Verbs that a text contains, each with the remaining text; verb and object may be in any order. */
export function verbsIn(text: string, phrases: Phrases): Meant[] {
  const normalizedText = normalizeText(text)
  if (normalizedText === '') return []
  return VERBS.flatMap((verb): Meant[] => {
    const verbPhrases = phrases[verb].map(normalizeText).toSorted((a, b) => b.length - a.length)
    const matchedPhrase = verbPhrases.find((phrase) => containsWord(normalizedText, phrase))
    if (matchedPhrase !== undefined)
      return [
        {
          verb,
          objectText: normalizedText.replace(matchedPhrase, ' ').replace(/\s+/g, ' ').trim(),
          isBegun: false,
        },
      ]
    const isPrefix =
      isEnough(normalizedText) && verbPhrases.some((phrase) => phrase.startsWith(normalizedText))
    return isPrefix ? [{ verb, objectText: '', isBegun: true }] : []
  })
}

/** Whether a text contains a phrase; a Latin one only as whole words. */
function containsWord(text: string, phrase: string): boolean {
  if (!/^[\x20-\x7f]+$/.test(phrase)) return text.includes(phrase)
  return ` ${text} `.includes(` ${phrase} `)
}

const PAGES: Partial<Record<Verb, PathName>> = {
  lastMonth: 'Electricity',
  whyMore: 'Electricity',
  export: 'Export',
  bookNow: 'ConferenceRoomBooking',
  visitor: 'VisitorRegister',
  invite: 'addUser',
  addHub: 'AddDevices',
  acknowledge: 'Alarm',
}
/** Rights that a page's action needs in addition to opening the page. */
const RIGHTS: Partial<Record<Verb, readonly [FeatureKey, Operation]>> = {
  bookNow: ['conference_room', 'Create'],
  visitor: ['access_control_visitor', 'Create'],
  invite: ['user', 'Create'],
  addHub: ['device', 'Create'],
}
const SEARCHES: Partial<Record<Verb, string>> = {
  lastMonth: 'range=lastMonth&by=room',
  whyMore: 'range=lastMonth&compare=previous&measure=cost&order=change',
  acknowledge: 'state=unacknowledged',
}

/** Maximum number of objects per verb. */
const MAX_ACTIONS = 6

/** Permitted actions that match a text; those whose verb is incomplete come last. */
export function actionsFor(text: string, phrases: Phrases, facts: SearchContext): SearchAction[] {
  const degrees = DEGREES.exec(normalizeText(text))
  const verbs = verbsIn(text, phrases)
  const startedVerbs = verbs.filter(({ isBegun }) => isBegun)
  return [...verbs.filter(({ isBegun }) => !isBegun), ...startedVerbs].flatMap(({ verb, objectText }) =>
    searchActionsOf(
      verb,
      objectText,
      facts,
      degrees ? Number(`${degrees[1]}${degrees[2] ?? ''}`) : undefined,
    ),
  )
}

/** Actions of a verb and the remaining text; without remaining text, of the current home. */
export function searchActionsOf(
  verb: Verb,
  objectText: string,
  facts: SearchContext,
  degrees?: number,
): SearchAction[] {
  switch (verb) {
    case 'lightsOff':
    case 'lightsOn':
      return roomActions(verb, objectText, facts, 'lights', { On: verb === 'lightsOn' ? 1 : 0 })
    case 'climateOff':
    case 'climateOn':
      return roomActions(verb, objectText, facts, 'climate', { On: verb === 'climateOn' ? 1 : 0 })
    case 'temperature':
      if (degrees === undefined) return []
      return roomActions(verb, objectText.replace(NUMBER, '').trim(), facts, 'climate', {
        TargetTemperature: degrees,
      }).map((action) => ({ ...action, degrees }))
    case 'deviceOff':
    case 'deviceOn':
      return deviceActions(verb, objectText, facts)
    case 'tour':
      return facts.hasTour ? plainAction(verb, objectText) : []
    default:
      return PAGES[verb] ? pageActions(verb, objectText, facts) : plainAction(verb, objectText)
  }
}

/** An action without an object; empty if the text contains more than the verb. */
const plainAction = (verb: Verb, objectText: string): SearchAction[] =>
  objectText === '' ? [{ id: verb, verb, action: { verb } }] : []

const isNamed = (words: string, ...names: readonly string[]): boolean => {
  const name = normalizeText(names.join(' '))
  return words.split(' ').every((word) => name.includes(word))
}

function pageActions(verb: Verb, objectText: string, facts: SearchContext): SearchAction[] {
  const { subject, homes, current, hasScreen } = facts
  const page = PAGES[verb] as PathName
  const right = RIGHTS[verb]
  if (!hasScreen(page) || mayOpen(page, subject) !== true) return []
  if (right && !(subject && may(subject, right[0], right[1], SOMEWHERE))) return []
  const search = SEARCHES[verb] ? `?${SEARCHES[verb]}` : ''
  const ofHome = ['lastMonth', 'whyMore', 'export', 'addHub', 'acknowledge'].includes(verb)
  if (!ofHome)
    return objectText === '' ? [{ id: verb, verb, action: { to: `${pathTo(page)}${search}` } }] : []
  const matchingHomes =
    objectText === '' ? [current] : homes.filter(({ HomeName }) => isNamed(objectText, HomeName))
  return matchingHomes.slice(0, MAX_ACTIONS).flatMap((home) =>
    home
      ? [
          {
            id: `${verb} ${home.HomeID}`,
            verb,
            object: { name: home.HomeName, where: '' },
            action: { to: `${pathTo(page, { HomeID: home.HomeID })}${search}` },
          },
        ]
      : [],
  )
}

function roomActions(
  verb: Verb,
  objectText: string,
  { subject, homes, devices, current }: SearchContext,
  Only: RoomDevices,
  Values: RoomValues,
): SearchAction[] {
  if (!subject || !may(subject, 'device_control', 'Control', SOMEWHERE) || !devices) return []
  const statuses = new Map(devices.Statuses.map((status) => [status.PeripheralUID, status]))
  const moved = new Set(
    devices.Peripherals.filter((device) => {
      const status = statuses.get(device.PeripheralUID) ?? null
      return roomValues(Only, Values, { PeripheralType: device.PeripheralType, status }) !== undefined
    }).map(({ HomeID, RoomID }) => `${HomeID} ${RoomID}`),
  )
  return [...homes]
    .sort((a, b) => Number(b === current) - Number(a === current))
    .flatMap((home) =>
      home.RoomList.filter(
        ({ RoomID, RoomName }) =>
          moved.has(`${home.HomeID} ${RoomID}`) &&
          (objectText === '' ? home === current : isNamed(objectText, RoomName, home.HomeName)),
      ).map(({ RoomID, RoomName }): SearchAction => ({
        id: `${verb} ${home.HomeID} ${RoomID} ${Values.TargetTemperature ?? ''}`.trim(),
        verb,
        object: { name: RoomName, where: home.HomeName },
        action: { room: { HomeID: home.HomeID, RoomID, Only, Values } },
      })),
    )
    .slice(0, MAX_ACTIONS)
}

/** Devices with relays by name; an output that requires a confirmation is opened instead. */
function deviceActions(
  verb: Verb,
  objectText: string,
  { subject, homes, devices }: SearchContext,
): SearchAction[] {
  if (objectText === '' || !subject || !may(subject, 'device_control', 'Control', SOMEWHERE)) return []
  const homeName = new Map(homes.map(({ HomeID, HomeName }) => [HomeID, HomeName]))
  const switchState = verb === 'deviceOn' ? 1 : 0
  return (devices?.Peripherals ?? [])
    .flatMap((device): SearchAction[] => {
      const homeLabel = homeName.get(device.HomeID) ?? ''
      const fields = relaysOf(device)
      if (fields.length === 0 || !isNamed(objectText, device.PeripheralName, homeLabel)) return []
      const { HomeID, PeripheralUID } = device
      const Values = Object.fromEntries(fields.map((field) => [field, switchState]))
      return [
        {
          id: `${verb} ${PeripheralUID}`,
          verb,
          object: { name: device.PeripheralName, where: homeLabel },
          action: requiresConfirmation(device)
            ? { to: pathTo('DeviceInfo', { HomeID, peripheralID: PeripheralUID }) }
            : { device: { HomeID, PeripheralUID, Values } },
        },
      ]
    })
    .slice(0, MAX_ACTIONS)
}

const capabilitiesOf = ({ PeripheralType }: Peripheral) => deviceType(PeripheralType)?.capabilities ?? []
const relaysOf = (device: Peripheral): string[] =>
  device.ControlMode === SWITCHES_HIDDEN
    ? []
    : capabilitiesOf(device).flatMap(({ command }) =>
        Object.keys(command).filter((field) => /^Switch[1-3]?$/.test(field)),
      )
const requiresConfirmation = (device: Peripheral): boolean =>
  capabilitiesOf(device).some(
    ({ name, needsConfirmation, command }) =>
      (name === 'dryContact' || needsConfirmation) && 'Switch' in command,
  )
