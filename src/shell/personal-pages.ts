import type { PermissionSubject } from '../../contract/kernel/permissions.ts'
import { mayOpen } from '../navigation/may-open.ts'
import type { PathName } from '../navigation/paths.ts'
import { hasScreen } from './offered-pages.ts'

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
