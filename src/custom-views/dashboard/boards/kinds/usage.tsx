import { UsageCard } from '../../cards/usage-card.tsx'

export default UsageCard
