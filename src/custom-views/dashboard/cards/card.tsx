import { memo } from 'react'
import type { HomeWithRooms } from '../../../../contract/resources/home.ts'
import type { LaterCard } from '../arrangement.ts'
import type { HomeOverview } from '../use-overview.ts'
import { AlarmsCard } from './alarms-card.tsx'
import { CategoriesCard } from './categories-card.tsx'
import { DayCard } from './day-card.tsx'
import { HubsCard } from './hubs-card.tsx'
import { RankingCard } from './ranking-card.tsx'
import { SavingCard } from './saving-card.tsx'
import { UsageCard } from './usage-card.tsx'

interface Props {
  name: LaterCard
  homes: readonly HomeWithRooms[]
  /** Only for cards that are live: it is another one every second. */
  overview: readonly HomeOverview[] | undefined
}

const cards = {
  saving: SavingCard,
  usage: UsageCard,
  day: DayCard,
  ranking: RankingCard,
  categories: CategoriesCard,
} as const

/** One of the cards that come after the first picture. */
function Card({ name, homes, overview = [] }: Props) {
  if (name === 'alarms') return <AlarmsCard overview={overview} />
  if (name === 'hubs') return <HubsCard overview={overview} />
  const One = cards[name]
  return <One homes={homes} />
}

export default memo(Card)
