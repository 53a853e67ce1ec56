import { useMemo } from 'react'
import { HubsCard } from '../../cards/hubs-card.tsx'
import type { CardProps } from './card-props.ts'

export default function Hubs({ card: { HomeID }, title, homes }: CardProps<'hubs'>) {
  const shownHubs = useMemo(
    () => homes.filter((home) => (HomeID ?? home.HomeID) === home.HomeID),
    [homes, HomeID],
  )
  return <HubsCard title={title} homes={shownHubs} />
}
