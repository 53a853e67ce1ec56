import { basename, resolve } from 'node:path'
import type { Rolldown } from 'vite'

type Group = NonNullable<Extract<Rolldown.OutputOptions['codeSplitting'], object>['groups']>[number]

/** Sends the first requests before the rest of the page has loaded. */
export const FIRST_REQUESTS = 'src/prefetch.ts'
/** Screens that users often open by their address; they render without Ant Design. */
export const DIRECT_SCREENS: readonly string[] = [
  'src/custom-views/dashboard/dashboard.tsx',
  'src/custom-views/device-list/device-list-page.tsx',
  'src/custom-views/electricity/electricity-page.tsx',
  'src/custom-views/building/building-page.tsx',
  'src/custom-views/bookings/booking-page.tsx',
]
/** Modules that the frame and the dashboard import by themselves after the first paint. */
const AFTER_FIRST_PAINT = [
  'src/background-tasks.ts',
  'src/custom-views/dashboard/boards/board-bar.tsx',
  'src/custom-views/dashboard/cards/card.tsx',
  'src/custom-views/dashboard/cards/power-card.tsx',
  'src/custom-views/dashboard/cards/saving-card.tsx',
  'src/custom-views/dashboard/tiles/tile-energy.tsx',
  'src/shell/alarm-badge.tsx',
  'src/shell/update-notice.tsx',
  'src/worker/start.ts',
]

/** Ant Design and what it needs; its charts are files of their own. */
const ANT_DESIGN =
  /\/node_modules\/(?:antd|rc-[\w-]+|@rc-component|@ant-design\/(?:icons|icons-svg|cssinjs|cssinjs-utils|colors|fast-color)|@babel\/runtime|@emotion|stylis|classnames|clsx|dayjs|resize-observer-polyfill|compute-scroll-into-view|scroll-into-view-if-needed|throttle-debounce)\//
/**
 * Minimum number of lazily loaded modules that use code which is in one file for all of them: with more, screens load more files, with
 * fewer, more bytes.
 */
const MIN_USERS = 25

/** These modules, and all that they import statically, directly or indirectly. */
function needsOf(paths: readonly string[], context: Rolldown.ChunkingContext): ReadonlySet<string> {
  const found = new Set(paths.map((path) => resolve(path)))
  for (const id of found) if (!context.getModuleInfo(id)) throw new Error(`${id} is not in the build`)
  for (const id of found) for (const next of context.getModuleInfo(id)?.importedIds ?? []) found.add(next)
  return found
}

/** One file with everything that these modules need. */
function fileWith(name: string, ...paths: readonly string[]): Group {
  let needed: ReadonlySet<string> | undefined
  return {
    name: (id, context) => ((needed ??= needsOf(paths, context)).has(id) ? name : null),
    debugName: name,
  }
}

/** A file for each direct screen, and one for what several of them need. */
function directScreens(): Group {
  let needed: readonly ReadonlySet<string>[] | undefined
  return {
    debugName: 'screens',
    name(id, context) {
      needed ??= DIRECT_SCREENS.map((path) => needsOf([path], context))
      const users = DIRECT_SCREENS.filter((_, i) => needed?.[i]?.has(id))
      const [user] = users
      return !user ? null : users.length > 1 ? 'screens' : basename(user, '.tsx')
    },
  }
}

/** Files of the page. A module is in the first group that takes it; what no group takes is split by the screens that use it. */
export const pageChunks = (): Group[] => [
  fileWith('first-requests', FIRST_REQUESTS),
  { name: 'first-page', tags: ['$initial'], test: (id) => !/src\/main\.tsx|index\.html/.test(id) },
  fileWith('app', 'src/App.tsx', 'src/lib/i18n/words/files.ts'),
  directScreens(),
  fileWith('after-first-paint', ...AFTER_FIRST_PAINT),
  { name: 'antd', test: ANT_DESIGN, minShareCount: MIN_USERS },
  { name: 'shared', test: /\/(?:src|contract)\//, minShareCount: MIN_USERS },
]
