import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Navigate, useParams, type Params } from 'react-router'
import { CATEGORIES } from '../../contract/devices/kinds/device-kind.ts'
import type { HomeWithRooms } from '../../contract/homes/home.ts'
import { useCurrentHome, useHomes } from '../data/homes.ts'
import { personalQuery } from '../data/personal.ts'
import { useSubject } from '../data/session.ts'
import { mayOpen } from '../navigation/may-open.ts'
import { paths, type PathName } from '../navigation/paths.ts'
import { ShellLoading } from './loading.tsx'
import { firstPage } from './menu.ts'
import { NotFound } from './not-found.tsx'
import { hasScreen } from './offered-pages.ts'
import { startPath, suitablePage } from './start-page.ts'
import PermissionDenied from './permission-denied.tsx'

/**
 * Guard of a page: loading while permissions are unknown, access denied without the right (§2, §6). `/` leads to the start page that the
 * user chose; users without access to the dashboard start at the page that suits their tasks, else at the first page of their menu.
 */
export function Gate({ name, children }: { name: PathName; children: ReactNode }) {
  const subject = useSubject()
  const homes = useHomes()
  const home = useCurrentHome()
  const params = useParams()
  const config = useQuery(personalQuery)
  if (!subject) return <ShellLoading />
  const decision = mayOpen(name, subject)
  if (name === 'Home') {
    // The page after signing in may be another one. A fetch after a failure is not waited for: parts of the page start one when they mount,
    // so that page and loading screen would replace each other forever.
    if (config.isLoading && !config.isFetched && config.failureCount === 0) return <ShellLoading />
    const page = config.data?.StartPage ?? (decision === true ? undefined : suitablePage(subject, false))
    const path = page && page !== 'Dashboard' ? startPath(page, subject, home?.HomeID) : undefined
    if (path) return <Navigate to={path} replace />
  }
  if (decision !== true) {
    const first = firstPage({ subject, home, categories: new Map(), hasScreen })
    if (name === 'Home' && first) return <Navigate to={first} replace />
    const missing = typeof decision === 'object' ? decision : undefined
    return <PermissionDenied missing={missing} back={first !== undefined} />
  }
  const unknown = whatIsUnknown(name, params, homes)
  if (unknown) return <NotFound text={`shell:notFound.${unknown}`} />
  return children
}

/** Kind of the address's parameter that does not exist; undefined while the homes are not known. */
function whatIsUnknown(
  name: PathName,
  { HomeID, RoomID, Category }: Readonly<Params>,
  homes: readonly HomeWithRooms[] | undefined,
): 'home' | 'room' | 'category' | undefined {
  if (Category !== undefined && !CATEGORIES.some((category) => category === Category)) return 'category'
  if (!paths[name].needsHome || !homes) return undefined
  const home = homes.find((one) => one.HomeID === HomeID)
  if (!home) return 'home'
  const hasRoom = RoomID === undefined || home.RoomList.some((room) => String(room.RoomID) === RoomID)
  return hasRoom ? undefined : 'room'
}
