import { DayCard } from '../../cards/day-card.tsx'
import { ofSite } from './of-site.tsx'

export default ofSite<'day'>(DayCard)
