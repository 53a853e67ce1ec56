import { RankingOfSite } from '../../cards/ranking-card.tsx'
import { ofSite } from './of-site.tsx'

export default ofSite<'ranking'>(RankingOfSite)
