import { Navigate, useLocation } from 'react-router'
import { useCurrentHome } from '../data/homes.ts'
import { pathTo, type PathName } from '../navigation/paths.ts'
import { NotFound } from './not-found.tsx'

/** A page of whichever home is the current one, for addresses that cannot name one, e.g. a shortcut of the installed app. */
export function OfCurrentHome({ name }: { name: PathName }) {
  const { search } = useLocation()
  const home = useCurrentHome()
  if (!home) return <NotFound />
  return <Navigate replace to={pathTo(name, { HomeID: home.HomeID }) + search} />
}
