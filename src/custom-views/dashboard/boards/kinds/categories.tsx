import { UsesCard } from '../../cards/uses-card.tsx'
import { ofSite } from './of-site.tsx'

export default ofSite<'categories'>(UsesCard)
