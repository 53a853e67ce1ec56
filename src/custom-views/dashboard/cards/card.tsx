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

const cards = {
  usage: UsageCard,
  day: DayCard,
  ranking: RankingCard,
  categories: UsesCard,
} as const

function Card({ name, homes }: Props) {
  if (name === 'hubs') return <HubsCard homes={homes} />
  const One = cards[name]
  return <One homes={homes} />
}

export default memo(Card)
