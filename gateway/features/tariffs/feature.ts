import type { Deps } from '../deps.ts'
import type { Feature } from '../../kernel/feature.ts'
import { createBills, type Bills } from './bills.ts'
import { homeTariffHandlers } from './home-tariff.ts'
import type { EnergyOfHomes } from './ports.ts'
import { tariffHandlers } from './tariff.ts'
import type { bills } from '../../../contract/tariffs/bill-calls.ts'
import type { HandlersOf } from '../../kernel/context.ts'

const billHandlers = (homes: Bills): HandlersOf<typeof bills> => ({
  getBill: (input, { actor }) => homes.getBill(actor.tenant, input),
  compareTariff: (input, { actor }) => homes.compareTariff(actor.tenant, input),
  getDemand: (input, { actor }) => homes.getDemand(actor.tenant, input),
  listDemand: (_, context) => homes.listDemand(context.actor.tenant, context.homes()),
})

export const tariffs = ({ db, clock }: Deps, { energy }: { energy: EnergyOfHomes }) =>
  ({
    handlers: {
      tariff: tariffHandlers,
      homeTariff: homeTariffHandlers,
      bills: billHandlers(createBills({ db, clock, energy })),
    },
  }) satisfies Feature
