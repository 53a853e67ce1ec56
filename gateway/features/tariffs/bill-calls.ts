import type { bills } from '../../../contract/tariffs/bill-calls.ts'
import type { HandlersOf } from '../../kernel/context.ts'
import type { Bills } from './bills.ts'

export const billHandlers = (homes: Bills): HandlersOf<typeof bills> => ({
  getBill: (input, { actor }) => homes.getBill(actor.tenant, input),
  compareTariff: (input, { actor }) => homes.compareTariff(actor.tenant, input),
  getDemand: (input, { actor }) => homes.getDemand(actor.tenant, input),
  listDemand: (_, { actor }) => homes.listDemand(actor.tenant),
})
