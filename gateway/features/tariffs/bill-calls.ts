import type { bills } from '../../../contract/procedures/bills.ts'
import type { HandlersOf } from '../../context.ts'
import type { Services } from '../../services.ts'

export const billHandlers = ({ bills: reckoned }: Services): HandlersOf<typeof bills> => ({
  getBill: (input, { actor }) => reckoned.getBill(actor.tenant, input),
  compareTariff: (input, { actor }) => reckoned.compareTariff(actor.tenant, input),
  getDemand: (input, { actor }) => reckoned.getDemand(actor.tenant, input),
})
