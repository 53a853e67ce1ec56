import { RankingCard } from '../../cards/ranking-card.tsx'
import { ofSite } from './of-site.tsx'

export default ofSite<'ranking'>(RankingCard)
