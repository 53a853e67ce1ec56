import './lib/zod-without-eval.ts'
import { createRoot } from 'react-dom/client'
import { Root } from './root.tsx'
import { askAhead } from './data/ahead.ts'
import { entrance, openEntrance } from './data/tokens/entrance.ts'
import { webConfig } from './data/config.ts'
import { currentLanguage, loadNamespaces, startI18n } from './lib/i18n/i18n.ts'
import { keepInstallPrompt } from './lib/install-prompt.ts'
import { APP_NAMESPACES, SCREEN_NAMESPACES } from './lib/i18n/namespaces.ts'
import type { Namespace } from './lib/i18n/words.ts'
import { startNativeBridge } from './native/start.ts'
import { readAddress } from './sign-in/views.ts'
import { startTheme } from './ui/theme/theme-mode.ts'
import { startPrinting } from './ui/page/printing.ts'
import './ui/theme/base.css'

interface Opening {
  address: RegExp
  open: () => Promise<unknown>
  /** Beside those of the application. */
  words: readonly Namespace[]
}
/** The screens that people open most by their address: they come beside the application instead of after it. */
const openings: readonly Opening[] = [
  {
    address: /^\/((home|dashboard)\/?)?$/i,
    open: () => import('./custom-views/dashboard/dashboard.tsx'),
    words: [],
  },
  {
    address: /^\/(DeviceList|DeviceCategory|RoomDevice)\//i,
    open: () => import('./custom-views/device-list/device-list-page.tsx'),
    words: SCREEN_NAMESPACES,
  },
  {
    address: /^\/electricity\//i,
    open: () => import('./custom-views/electricity/electricity-page.tsx'),
    words: [...SCREEN_NAMESPACES, 'balance', 'charts', 'electricity', 'energy'],
  },
  {
    address: /^\/Building\//i,
    open: () => import('./custom-views/building/building-page.tsx'),
    words: [...SCREEN_NAMESPACES, 'automation', 'bookings', 'building'],
  },
  {
    address: /^\/ConferenceRoomBooking\/?$/i,
    open: () => import('./custom-views/bookings/booking-page.tsx'),
    words: [...SCREEN_NAMESPACES, 'bookings'],
  },
]
const opening = openings.find(({ address }) => address.test(location.pathname))

/**
 * What who is signed in will need, all at once instead of one after the other. Whoever needs a part asks for it again, and
 * deals with its failure.
 */
function hasten(): void {
  const parts: Promise<unknown>[] = [webConfig(), import('./App.tsx')]
  askAhead()
  if (opening) parts.push(opening.open())
  if (opening?.words.length) parts.push(import('./ui/page/with-dialogs.tsx'))
  void Promise.allSettled(parts)
}

startTheme()
startPrinting()
openEntrance()
readAddress()
startNativeBridge()
keepInstallPrompt()
if (entrance.get() === 'app') hasten()
await startI18n(['auth'])
if (entrance.get() === 'app') {
  void loadNamespaces([...APP_NAMESPACES, ...(opening?.words ?? [])]).catch(() => {})
  if (currentLanguage() === 'zh-TW') void import('./ui/theme/locale-zh-tw.ts').catch(() => {})
}
createRoot(document.getElementById('root') as HTMLElement).render(<Root />)
