import type { Feature } from '../../kernel/deps.ts'
import { personalHandlers } from './personal.ts'

/** Settings of each person. */
export const personal = () => ({ handlers: { personal: personalHandlers } }) satisfies Feature
