import { useMemo } from 'react'
import { useLocation, type NavigateFunction } from 'react-router'
import type { DeviceSnapshot } from '../../../contract/devices/peripheral.ts'
import { useCurrentHome, useHomes } from '../../data/homes.ts'
import { useIsDemo } from '../../data/gateway-features.ts'
import { useSubject } from '../../data/session.ts'
import { useT, wordsIn, changeLanguage, t } from '../../lib/i18n/i18n.ts'
import { LANGUAGES } from '../../lib/i18n/words.ts'
import { pathOf, type PathName } from '../../navigation/paths.ts'
import { hasScreen } from '../offered-pages.ts'
import {
  actionsFor,
  searchActionsOf,
  normalizeText,
  VERBS,
  type SearchAction,
  type SearchContext,
  type Phrases,
  type Verb,
} from './actions.ts'
import type { SearchHit } from './search-index.ts'
import { notices } from '../../data/notices.ts'
import { type CommandHandle, sendCommand } from '../../live/commands.ts'
import { runRoomAndNotify } from '../../live/run-room.ts'
import { signOut } from '../../live/sign-out.ts'
import { chooseDensity } from '../../ui/theme/density.ts'
import { chooseTheme } from '../../ui/theme/theme-mode.ts'
import { switchKeys } from '../shortcuts.ts'
import { hasTour } from '../../data/tour-offer.ts'

/** Separator of a verb's phrases. */
const SEPARATOR = '|'

/** Phrases of every verb in all languages, so that users can type either. */
const phrasesOf = (): Phrases =>
  Object.fromEntries(
    VERBS.map((verb) => [
      verb,
      LANGUAGES.flatMap((language) => wordsIn(language).text(`search:verbs.${verb}.words`).split(SEPARATOR)),
    ]),
  ) as Record<Verb, string[]>

/** Verbs suggested on a page before anything is typed. */
const OF_PAGE: Partial<Record<PathName, readonly Verb[]>> = {
  RoomDevice: ['lightsOff', 'lightsOn', 'climateOff'],
  Electricity: ['lastMonth', 'whyMore', 'export'],
  historyData: ['export'],
  ConferenceRoomBooking: ['bookNow'],
  VisitorManagement: ['visitor'],
  Alarm: ['acknowledge'],
}
const GLOBAL_VERBS: readonly Verb[] = ['print', 'copyLink']

const LAST_KEY = 'actions.last'
const MAX_LAST_ACTIONS = 5

function readLastActions(): readonly Pick<SearchAction, 'id' | 'verb' | 'object' | 'degrees'>[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(LAST_KEY) ?? '[]')
    return Array.isArray(stored)
      ? stored.filter((action) => VERBS.includes((action as SearchAction)?.verb))
      : []
  } catch {
    return []
  }
}

/** Stores an action as the most recent one. */
export function rememberAction({ id, verb, object, degrees }: SearchAction): void {
  const otherActions = readLastActions().filter((action) => action.id !== id)
  const all = [{ id, verb, object, degrees }, ...otherActions].slice(0, MAX_LAST_ACTIONS)
  localStorage.setItem(LAST_KEY, JSON.stringify(all))
}

/**
 * Actions of the search.
 *
 * devices  of all homes
 * returns  actions that match a text; without a text those of this page, then the recent ones
 */
export function useActions(devices: DeviceSnapshot | undefined): (text: string) => SearchHit[] {
  const t = useT()
  const subject = useSubject()
  const homes = useHomes()
  const current = useCurrentHome()
  const { pathname } = useLocation()
  const isDemo = useIsDemo()
  const phrases = useMemo(() => phrasesOf(), [])
  return useMemo(() => {
    const facts: SearchContext = { subject, homes: homes ?? [], devices, current, hasScreen, hasTour: isDemo }
    const currentPath = pathOf(pathname)
    const room = current?.RoomList.find(({ RoomID }) => String(RoomID) === currentPath?.params['RoomID'])
    const foundOf = (action: SearchAction): SearchHit => {
      const verb = t(`search:verbs.${action.verb}.title`, { degrees: action.degrees ?? 0 })
      return {
        key: `action ${action.id}`,
        kind: 'action',
        title: action.object ? t('search:deed', { object: action.object.name, verb }) : verb,
        where: action.object?.where ?? '',
        to: '',
        action,
      }
    }
    const repeatAction = (action: Pick<SearchAction, 'id' | 'verb' | 'object' | 'degrees'>) => {
      const objectText = action.object ? normalizeText(`${action.object.name} ${action.object.where}`) : ''
      return searchActionsOf(action.verb, objectText, facts, action.degrees).filter(
        ({ id }) => id === action.id,
      )
    }
    const readNearbyActions = () => [
      ...(currentPath ? (OF_PAGE[currentPath.name] ?? []) : []).flatMap((verb) => {
        const isOfRoom = currentPath?.name === 'RoomDevice' && room !== undefined
        return searchActionsOf(verb, isOfRoom ? normalizeText(room.RoomName) : '', facts).slice(0, 1)
      }),
      ...GLOBAL_VERBS.flatMap((verb) => searchActionsOf(verb, '', facts)),
    ]
    return (text) => {
      const all = text.trim()
        ? actionsFor(text, phrases, facts)
        : [...readNearbyActions(), ...readLastActions().flatMap(repeatAction)]
      const ids = new Set<string>()
      return all.filter(({ id }) => !ids.has(id) && ids.add(id)).map(foundOf)
    }
  }, [subject, homes, devices, current, pathname, phrases, isDemo, t])
}

/** Runs the chosen action; the outcome of a command is shown after the device has reported it. */
export function doAction({ action }: SearchAction, navigate: NavigateFunction): void {
  if ('to' in action) void navigate(action.to)
  else if ('room' in action) {
    const { HomeID, RoomID, Only, Values } = action.room
    runRoomAndNotify(HomeID, RoomID, Only, Values)
  } else if ('device' in action) {
    const { HomeID, PeripheralUID, Values } = action.device
    const command = sendCommand(HomeID, PeripheralUID, Values)
    if (command) void tellCommand(command)
  } else PLAIN[action.verb]?.()
}

async function tellCommand({ settled }: CommandHandle): Promise<void> {
  const { State, Reason } = await settled
  if (State === 'confirmed') notices.success(() => t('search:done'))
  else notices.error(() => t(`errors:command.${Reason ?? 'noAnswer'}`))
}

const PLAIN: Partial<Record<Verb, () => void>> = {
  light: () => chooseTheme('light'),
  dark: () => chooseTheme('dark'),
  system: () => chooseTheme('system'),
  zh: () => void changeLanguage('zh-TW'),
  en: () => void changeLanguage('en-US'),
  normal: () => chooseDensity('normal'),
  compact: () => chooseDensity('compact'),
  // Deferred, so that the dialog is not printed.
  print: () => void setTimeout(() => print()),
  copyLink: () =>
    void navigator.clipboard.writeText(location.href).then(
      () => notices.success(() => t('search:copied')),
      () => notices.error(() => t('screens:copyFailed')),
    ),
  tour: () => hasTour.set(true),
  keys: switchKeys,
  signOut: () => void signOut(),
}
