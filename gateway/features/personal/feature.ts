import type { Feature } from '../../kernel/deps.ts'
import { personalHandlers } from './personal.ts'

/** What each person sets for themselves. */
export const personal = () => ({ handlers: { personal: personalHandlers } }) satisfies Feature
