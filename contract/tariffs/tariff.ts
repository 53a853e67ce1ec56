import { z } from 'zod'
import { defineResource, eventsOf } from '../kernel/define-resource.ts'
import { Name, TariffID, Version } from '../kernel/scalars.ts'
import { TariffVersions } from './tariff-terms.ts'

/** A company's own tariff, in addition to the built-in plans (§1 Tariff types). */
export const Tariff = z.object({ TariffID, TariffName: Name, Versions: TariffVersions, Version })
export type Tariff = z.infer<typeof Tariff>

export const TariffKey = Tariff.pick({ TariffID: true })
export type TariffKey = z.infer<typeof TariffKey>

const Editable = Tariff.omit({ TariffID: true, Version: true })

export const tariff = defineResource({
  name: 'tariff',
  scope: 'company',
  feature: 'electricity',
  record: Tariff,
  key: ['TariffID'],
  events: eventsOf(TariffKey),
  operations: {
    list: {
      path: '/ListTariff',
      summary: "The company's own tariffs by name; excludes built-in plans.",
      sites: 'company',
      input: z.object({}),
      results: z.array(Tariff),
    },
    create: {
      path: '/CreateTariff',
      summary: 'Adds a tariff. At most 100.',
      sites: 'company',
      input: Editable,
      results: Tariff,
      errors: ['CONFLICT', 'LIMIT_EXCEEDED'],
    },
    update: {
      path: '/UpdateTariff',
      summary:
        'Changes a tariff and recomputes all of its costs. Omitted fields keep their values. Rejected if Version is given and outdated.',
      sites: 'company',
      input: TariffKey.extend(Editable.partial().shape).extend({ Version: Version.optional() }),
      results: Tariff,
      errors: ['NOT_FOUND', 'CONFLICT'],
    },
    remove: {
      path: '/DeleteTariff',
      summary: 'Deletes a tariff that no home uses.',
      sites: 'company',
      input: TariffKey,
      results: TariffKey,
      errors: ['NOT_FOUND', 'CONFLICT'],
    },
  },
})
