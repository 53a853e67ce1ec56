import type { NavigateFunction } from 'react-router'
import { notices } from '../../data/notices.ts'
import { changeLanguage, t } from '../../lib/i18n/i18n.ts'
import type { CommandHandle } from '../../live/commands.ts'
import { sendCommand } from '../../live/commands.ts'
import { runRoomAndNotify } from '../../live/run-room.ts'
import { signOut } from '../../live/sign-out.ts'
import { chooseDensity } from '../../ui/theme/density.ts'
import { chooseTheme } from '../../ui/theme/theme-mode.ts'
import type { SearchAction, Verb } from './actions.ts'
import { switchKeys } from '../shortcuts.ts'
import { hasTour } from '../tour/offer.ts'

/** Runs the chosen action; the outcome of a command is shown after the device has reported it. */
export function doAction({ deed }: SearchAction, navigate: NavigateFunction): void {
  if ('to' in deed) void navigate(deed.to)
  else if ('room' in deed) {
    const { HomeID, RoomID, Only, Values } = deed.room
    runRoomAndNotify(HomeID, RoomID, Only, Values)
  } else if ('device' in deed) {
    const { HomeID, PeripheralUID, Values } = deed.device
    const command = sendCommand(HomeID, PeripheralUID, Values)
    if (command) void tellCommand(command)
  } else PLAIN[deed.verb]?.()
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
