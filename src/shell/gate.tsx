import type { ReactNode } from 'react'
import { useParams } from 'react-router'
import { useHomes } from '../data/homes.ts'
import { useSubject } from '../data/session.ts'
import { mayOpen, paths, type PathName } from '../paths.ts'
import { Loading } from './loading.tsx'
import { NotFound } from './not-found.tsx'
import PermissionDenied from './permission-denied.tsx'

/** Lets a person onto a page: loading while permissions are unknown, access denied without the right (§2, §6). */
export function Gate({ name, children }: { name: PathName; children: ReactNode }) {
  const subject = useSubject()
  const homes = useHomes()
  const { HomeID } = useParams()
  if (!subject) return <Loading />
  const decision = mayOpen(name, subject)
  if (decision !== true)
    return <PermissionDenied missing={typeof decision === 'object' ? decision : undefined} />
  if (paths[name].needsHome && homes && !homes.some((home) => home.HomeID === HomeID))
    return <NotFound text="shell:notFound.home" />
  return children
}
