import { memo } from 'react'
import type { HomeWithRooms } from '../../../../contract/homes/home.ts'
import type { CardName } from '../common/arrangement.ts'
import { UsesCard } from './uses-card.tsx'
import { DayCard } from './day-card.tsx'
import { HubsCard } from './hubs-card.tsx'
import { RankingCard } from './ranking-card.tsx'
import { UsageCard } from './usage-card.tsx'

interface Props {
  name: CardName
  homes: readonly HomeWithRooms[]
}

/** A card of the default dashboard, about all homes. */
function Card({ name, homes }: Props) {
  const [home, ...others] = homes
  if (!home) return null
  if (name === 'hubs') return <HubsCard homes={homes} />
  if (name === 'usage') return <UsageCard homes={homes} />
  if (name === 'day') return <DayCard homes={[home, ...others]} />
  if (name === 'ranking') return <RankingCard homes={[home, ...others]} />
  return <UsesCard homes={[home, ...others]} isHiddenIfVague />
}

export default memo(Card)
