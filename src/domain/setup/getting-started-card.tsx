import { useCallback, useState, type ReactNode } from 'react'
import type { HomeWithRooms } from '../../../contract/homes/home.ts'
import { loadNamespaces } from '../../lib/i18n/i18n.ts'
import { SCREEN_NAMESPACES } from '../../lib/i18n/namespaces.ts'
import { lazyPart } from '../../ui/page/lazy.tsx'

const Checklist = lazyPart(async () => {
  const [part] = await Promise.all([
    import('./checklist.tsx'),
    loadNamespaces([...SCREEN_NAMESPACES, 'setup']),
  ])
  return { default: part.Checklist }
})

/**
 * Shows the setup checklist while no site has a device and steps remain, otherwise its children. It decides by the sites alone, which are
 * already loaded, so that other users do not wait. Once shown, the children stay mounted, so that edits survive the first device being
 * added or the last one being removed.
 */
export function GettingStartedCard({
  homes,
  children,
}: {
  homes: readonly HomeWithRooms[]
  children: ReactNode
}) {
  const [isShown, setIsShown] = useState(false)
  const showCard = useCallback(() => setIsShown(true), [])
  const isEmpty = homes.every(({ RoomList }) =>
    RoomList.every(({ PeripheralList }) => PeripheralList.length === 0),
  )
  if (!isEmpty && !isShown) setIsShown(true)
  return isShown || !isEmpty ? children : <Checklist onComplete={showCard} />
}
