import type { PermissionSubject } from '../../contract/kernel/permissions.ts'
import { mayOpen, type PathName } from '../navigation/paths.ts'
import { hasScreen } from '../routes.tsx'

/** Notification history, which everybody may open, belongs to a home and stands in the side menu. */
const PAGES = [
  'GetStarted',
  'ChangePassword',
  'ChangeNotificationSetting',
  'ChangeDecimalPrecisionSetting',
] as const satisfies readonly PathName[]

/** Pages of a person that no menu of a home leads to: getting started for who may set something up, and personal settings. */
export const personalPages = (subject: PermissionSubject | undefined): (typeof PAGES)[number][] =>
  PAGES.filter((name) => hasScreen(name) && mayOpen(name, subject) === true)
