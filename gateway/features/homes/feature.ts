import type { Feature } from '../../deps.ts'
import * as handlers from './handlers.ts'

/** Homes and their rooms. */
export const homes = () => ({ handlers }) satisfies Feature
