import { HubsCard } from '../../cards/hubs-card.tsx'
import type { CardProps } from './card-props.ts'

/** Hubs of one site, or of all. */
export default function Hubs({ card: { HomeID }, title, overview }: CardProps<'hubs'>) {
  return (
    <HubsCard
      title={title}
      overview={overview.filter(({ home }) => (HomeID ?? home.HomeID) === home.HomeID)}
    />
  )
}
