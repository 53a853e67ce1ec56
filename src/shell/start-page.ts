import { may, type PermissionSubject, SOMEWHERE } from '../../contract/kernel/permissions.ts'
import { START_PAGES, type StartPage } from '../../contract/people/personal-calls.ts'
import { mayOpen } from '../navigation/may-open.ts'
import { paths, pathTo } from '../navigation/paths.ts'
import { hasScreen } from './offered-pages.ts'

/** Pages that the person may choose as the first one. */
export const startPages = (subject: PermissionSubject | undefined): StartPage[] =>
  START_PAGES.filter((name) => hasScreen(name) && mayOpen(name, subject) === true)

/** Translation key of a start page's name. That of alarms opens on the active ones, unlike its name in the menu. */
export const startPageKey = (name: StartPage) =>
  name === 'Alarm' ? ('shell:menu.alarm' as const) : (`shell:pages.${name}` as const)

/**
 * Page that suits the tasks of a person with these rights better than the dashboard: visitors at a front desk, alarms for an operator on a
 * phone, electricity for those who see nothing else; undefined if none does.
 */
export function suitablePage(subject: PermissionSubject, isPhone: boolean): StartPage | undefined {
  const page = preferredPage(subject, isPhone)
  return page && startPages(subject).includes(page) ? page : undefined
}

function preferredPage(subject: PermissionSubject, isPhone: boolean): StartPage | undefined {
  const mayDevices = may(subject, 'device', 'Read', SOMEWHERE)
  if (!mayDevices && may(subject, 'access_control_visitor', 'Create', SOMEWHERE)) return 'AccessControl'
  if (!mayDevices && may(subject, 'electricity', 'Read', SOMEWHERE)) return 'Electricity'
  const isOperator =
    may(subject, 'device_control', 'Control', SOMEWHERE) && !may(subject, 'device', 'Update', SOMEWHERE)
  return isPhone && isOperator ? 'Alarm' : undefined
}

/** Address of a start page; undefined if the person may not open it, or if it belongs to a home and there is none. */
export function startPath(
  page: StartPage,
  subject: PermissionSubject,
  HomeID: string | undefined,
): string | undefined {
  if (!startPages(subject).includes(page)) return undefined
  return paths[page].needsHome && HomeID === undefined ? undefined : pathTo(page, { HomeID })
}
