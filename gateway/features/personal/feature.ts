import type { Feature } from '../../kernel/feature.ts'
import { personalHandlers } from './personal.ts'

export const personal = () => ({ handlers: { personal: personalHandlers } }) satisfies Feature
