import { memo } from 'react'
import type { HomeWithRooms } from '../../../../contract/homes/home.ts'
import type { CardName } from '../common/arrangement.ts'
import type { HomeOverview } from '../common/use-overview.ts'
import { CategoriesCard } from './categories-card.tsx'
import { DayCard } from './day-card.tsx'
import { HubsCard } from './hubs-card.tsx'
import { RankingCard } from './ranking-card.tsx'
import { UsageCard } from './usage-card.tsx'

interface Props {
  name: CardName
  homes: readonly HomeWithRooms[]
  /** Only for live cards: it changes every second. */
  overview: readonly HomeOverview[] | undefined
}

const cards = {
  usage: UsageCard,
  day: DayCard,
  ranking: RankingCard,
  categories: CategoriesCard,
} as const

function Card({ name, homes, overview = [] }: Props) {
  if (name === 'hubs') return <HubsCard overview={overview} />
  const One = cards[name]
  return <One homes={homes} />
}

export default memo(Card)
