import { CategoriesOfSite } from '../../cards/categories-card.tsx'
import { ofSite } from './of-site.tsx'

export default ofSite<'categories'>(CategoriesOfSite)
