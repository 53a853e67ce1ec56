import { Navigate, useLocation } from 'react-router'
import { useCurrentHome } from '../data/homes.ts'
import { pathTo, type PathName } from '../navigation/paths.ts'
import { NotFound } from './not-found.tsx'

/** Redirects to a page of the current home, for addresses without a home, e.g. a shortcut of the installed app. */
export function OfCurrentHome({ name }: { name: PathName }) {
  const { search } = useLocation()
  const home = useCurrentHome()
  if (!home) return <NotFound />
  return <Navigate replace to={pathTo(name, { HomeID: home.HomeID }) + search} />
}
