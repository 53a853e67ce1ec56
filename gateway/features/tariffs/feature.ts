import type { Deps, Feature } from '../../kernel/deps.ts'
import { billHandlers } from './bill-calls.ts'
import { createBills } from './bills.ts'
import { homeTariffHandlers } from './home-tariff.ts'
import type { EnergyOfHomes } from './ports.ts'
import { tariffHandlers } from './tariff.ts'

/** Tariffs, which of them homes have, and the bills by them. */
export const tariffs = ({ db, clock }: Deps, { energy }: { energy: EnergyOfHomes }) =>
  ({
    handlers: {
      tariff: tariffHandlers,
      homeTariff: homeTariffHandlers,
      bills: billHandlers(createBills({ db, clock, energy })),
    },
  }) satisfies Feature
