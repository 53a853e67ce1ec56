import type { ResourceName } from '../contract/index.ts'
import { pathOf, paths, type PathName, type PathSpec } from './navigation/paths.ts'
import type { RecordPages } from './record-kit/define-record.tsx'
import { loadNamespaces } from './lib/i18n/i18n.ts'
import { SCREEN_NAMESPACES } from './lib/i18n/namespaces.ts'
import type { Namespace } from './lib/i18n/words.ts'
import { routes, type Route } from './routes.ts'
import { setScreens } from './shell/offered-pages.ts'
import { lazyScreen, loadWithAntDesign, type LazyScreen } from './ui/page/lazy.tsx'

/** Namespaces of a record's pages in addition to those of every screen. */
const RECORD_WORDS: Partial<Record<ResourceName, Namespace>> = {
  user: 'people',
  group: 'automation',
  scene: 'automation',
  modbusTable: 'modbus',
  conferenceRoom: 'bookings',
  visitor: 'access',
  employee: 'access',
  scanner: 'access',
  notificationChannel: 'channels',
  utilityBill: 'tariff',
}

/** A function, because programs that read the screens without the build have no `import.meta.glob`. */
const recordFiles = () => import.meta.glob<{ default: RecordPages }>('./resources/*/record.tsx')
const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** Loads the pages of a record, from `src/resources/<name>/record.tsx`. */
export async function loadRecord(name: ResourceName): Promise<RecordPages> {
  const load = recordFiles()[`./resources/${kebab(name)}/record.tsx`]
  if (!load) throw new Error(`${name} has no record.tsx`)
  return (await load()).default
}

const recordRoutes: Partial<Record<PathName, Route>> = Object.fromEntries(
  (Object.entries(paths) as [PathName, PathSpec][]).flatMap(([path, { record }]) => {
    if (!record || record.as === 'own') return []
    const { name, as } = record
    const words = RECORD_WORDS[name]
    const load = async () => ({ default: (await loadRecord(name))[as] })
    return [[path, { words: words ? [words] : [], load } satisfies Route]]
  }),
)

const screenOf = ({ words = [], load, plain }: Route): LazyScreen =>
  lazyScreen(async () => {
    const [screen] = await Promise.all([
      plain ? load() : loadWithAntDesign(load),
      words === 'app' ? undefined : loadNamespaces([...SCREEN_NAMESPACES, ...words]),
    ])
    return screen
  })

const byPath = Object.entries({ ...recordRoutes, ...routes }) as [PathName, Route][]
const byRoute = new Map(byPath.map(([, route]) => [route, screenOf(route)]))

/** Screen of each path; paths with the same route share one, which keeps its state when the user goes from one to another. */
export const screens: Partial<Record<PathName, LazyScreen>> = Object.fromEntries(
  byPath.map(([name, route]) => [name, byRoute.get(route)]),
)

setScreens(screens)

/** Preloads the screen of an address, so that its first paint is complete. A failure is reported when it renders. */
export async function preloadScreen(pathname: string): Promise<void> {
  const name = pathOf(pathname)?.name
  await (name && screens[name])?.preload()
}
