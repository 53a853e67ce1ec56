import type { PathName } from '../navigation/paths.ts'
import type { PermissionSubject } from '../../contract/kernel/permissions.ts'
import { mayOpen } from '../navigation/may-open.ts'

/** Screens by page; set by the table of screens, which the shell cannot import. */
let offeredPages: Partial<Record<PathName, unknown>> = {}

export function setScreens(screens: Partial<Record<PathName, unknown>>): void {
  offeredPages = screens
}

export const hasScreen = (name: PathName): boolean => offeredPages[name] !== undefined

/** Index of the view that a path shows; the frame shows its loading state only when this changes. Several paths may share a view. */
export const viewOf = (name: PathName | undefined): number =>
  Object.values(offeredPages).findIndex((screen) => name !== undefined && screen === offeredPages[name])

/** Without the notification history, which belongs to a home and is in the side menu. */
const PAGES = [
  'GetStarted',
  'ChangePassword',
  'ChangeNotificationSetting',
  'ChangeDecimalPrecisionSetting',
] as const satisfies readonly PathName[]

/** Pages of a user that no menu of a home contains: getting started, if the user may set something up, and personal settings. */
export const personalPages = (subject: PermissionSubject | undefined): (typeof PAGES)[number][] =>
  PAGES.filter((name) => hasScreen(name) && mayOpen(name, subject) === true)
