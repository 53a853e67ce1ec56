import './lib/zod-without-eval.ts'
import { createRoot } from 'react-dom/client'
import { Root } from './root.tsx'
import { askAhead } from './data/ahead.ts'
import { entrance, openEntrance } from './data/tokens/entrance.ts'
import { webConfig } from './data/config.ts'
import { loadNamespaces, startI18n } from './lib/i18n/i18n.ts'
import { keepInstallPrompt } from './lib/install-prompt.ts'
import { APP_NAMESPACES, SCREEN_NAMESPACES } from './lib/i18n/namespaces.ts'
import { startNativeBridge } from './native/start.ts'
import { oftenOpened, openedBy } from './often-opened.ts'
import { readAddress } from './sign-in/views.ts'
import { startTheme } from './ui/theme/theme-mode.ts'
import { startPrinting } from './ui/page/printing.ts'
import './ui/theme/base.css'

const opening = openedBy(location.pathname)
/** The first screen does without the words and dialogs of all others. */
const isElsewhere = opening && opening !== oftenOpened.dashboard

/**
 * What who is signed in will need, all at once instead of one after the other. Whoever needs a part asks for it again, and
 * deals with its failure.
 */
function hasten(): void {
  const app = import('./app-in-turns.ts').then(({ loadApp }) => loadApp())
  const parts: Promise<unknown>[] = [webConfig(), app]
  askAhead(opening?.asks?.(location.pathname.split('/')[2] ?? ''))
  if (opening) parts.push(isElsewhere ? opening.load() : app.then(opening.load))
  void Promise.allSettled(parts)
  // A phone takes a tenth of a second to make ready for its first date. Once it has drawn that it waits, it has that time.
  setTimeout(() => new Intl.DateTimeFormat().resolvedOptions(), 100)
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
  void loadNamespaces([
    ...APP_NAMESPACES,
    ...(isElsewhere ? [...SCREEN_NAMESPACES, ...opening.words] : []),
  ]).catch(() => {})
}
createRoot(document.getElementById('root') as HTMLElement).render(<Root />)
