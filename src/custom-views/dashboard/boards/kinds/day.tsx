import { DayOfSite } from '../../cards/day-card.tsx'
import { ofSite } from './of-site.tsx'

export default ofSite<'day'>(DayOfSite)
