import { useCallback, useState, type ReactNode } from 'react'
import type { HomeWithRooms } from '../../../contract/homes/home.ts'
import { loadNamespaces } from '../../lib/i18n/i18n.ts'
import { SCREEN_NAMESPACES } from '../../lib/i18n/namespaces.ts'
import { lazyPart } from '../../ui/page/lazy-part.tsx'

const Checklist = lazyPart(async () => {
  const [part] = await Promise.all([
    import('./checklist.tsx'),
    loadNamespaces([...SCREEN_NAMESPACES, 'setup']),
  ])
  return { default: part.Checklist }
})

/**
 * What a dashboard shows: the checklist while no site has a device, for who has something to set up; else what is given. Asked of
 * the sites alone, which are there, so that nobody else waits for it. What is given stays once it is there: who arranges it when the
 * first device comes, or the last one goes, keeps what was done.
 */
export function GettingStartedCard({
  homes,
  children,
}: {
  homes: readonly HomeWithRooms[]
  children: ReactNode
}) {
  const [isShown, setShown] = useState(false)
  const show = useCallback(() => setShown(true), [])
  const isEmpty = homes.every(({ RoomList }) =>
    RoomList.every(({ PeripheralList }) => PeripheralList.length === 0),
  )
  if (!isEmpty && !isShown) setShown(true)
  return isShown || !isEmpty ? children : <Checklist nothingLeft={show} />
}
