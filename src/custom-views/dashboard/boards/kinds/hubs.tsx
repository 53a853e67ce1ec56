import { HubsCard } from '../../cards/hubs-card.tsx'
import type { CardProps } from './card-props.ts'

export default function Hubs({ card: { HomeID }, title, overview }: CardProps<'hubs'>) {
  return (
    <HubsCard
      title={title}
      overview={overview.filter(({ home }) => (HomeID ?? home.HomeID) === home.HomeID)}
    />
  )
}
