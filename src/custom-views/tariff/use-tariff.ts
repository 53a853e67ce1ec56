import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { homeTariff } from '../../../contract/tariffs/home-tariff-calls.ts'
import { tariff } from '../../../contract/tariffs/tariff.ts'
import { taipowerPlan } from '../../../contract/tariffs/taipower-plans.ts'
import type { TariffVersion } from '../../../contract/tariffs/tariff-terms.ts'
import { formatReading } from '../../lib/format-power.ts'
import { callQuery } from '../../data/api.ts'
import { hasText, useT } from '../../lib/i18n/i18n.ts'
import { useFormatDate } from '../../ui/page/format-when.ts'
import { useDecimalPrecision } from '../../data/personal.ts'

export const useTariffs = () => useQuery(callQuery(tariff.operations.list, {}))
export const useHomeTariffs = (HomeID: string) => useQuery(callQuery(homeTariff.listHomeTariff, { HomeID }))

export function usePlans() {
  const t = useT()
  const own = useTariffs().data
  const nameOf = useCallback(
    (id: string): string => {
      const key = `tariff:plans.${id}`
      if (hasText(key)) return t(key)
      return own?.find(({ TariffID }) => TariffID === id)?.TariffName ?? id
    },
    [own, t],
  )
  const versionsOf = useCallback(
    (id: string): readonly TariffVersion[] =>
      taipowerPlan(id)?.Versions ?? own?.find(({ TariffID }) => TariffID === id)?.Versions ?? [],
    [own],
  )
  return { own: own ?? [], nameOf, versionsOf }
}

/** Text for a range of days, both inclusive: of a tariff, or of a yearly season; `through` is null for an open end. */
export function useSpanWords(): (from: string, through: string | null) => string {
  const t = useT()
  const date = useFormatDate()
  return (from, through) =>
    t('tariff:span', { from: date(from), through: through === null ? t('tariff:open') : date(through) })
}

/** NT$ as in price tables: at least two decimals, at most four. */
export const formatPrice = (price: number): string =>
  price.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 4 })

/** Formats figures with the decimals of the personal setting. */
export function useFigures(): (value: number) => string {
  const decimals = useDecimalPrecision()
  return (value) => formatReading(value, decimals)
}
