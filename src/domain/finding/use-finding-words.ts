import {
  formatFigure,
  formatNumber,
  formatShare,
  formatWhole,
  moneyText,
  roundEstimate,
} from '../../../contract/kernel/numbers.ts'
import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { Finding, SavingHeadline, HeadlineGap } from '../../../contract/findings/calls.ts'
import { tariff } from '../../../contract/tariffs/tariff.ts'
import { callQuery } from '../../data/api.ts'
import { useMay } from '../../data/session.ts'
import { hasText, useT } from '../../lib/i18n/i18n.ts'
import { useFormatDate } from '../../ui/page/format-when.ts'

/** NT$ of a saving, rounded to two significant digits to match its accuracy. */
export const formatSaving = (amount: number): string => formatWhole(roundEstimate(amount))

/** Text shown without a sum: nothing to do, unless findings without a sum are open (low confidence, meter faults). */
export function describeNone(
  t: ReturnType<typeof useT>,
  { Counts: { open, accepted } }: Pick<SavingHeadline, 'Counts'>,
) {
  const count = open + accepted
  return count > 0 ? t('insight:findings.noneButOpen', { count }) : t('insight:findings.none')
}

/** Minimum share of a saving that others include, for a note on its part in the sum. */
const MIN_OVERLAP = 0.05

/** Part of a finding in the headline, NT$, if it is visibly less than its saving because others overlap; else undefined. */
export function overlappingPart({
  Amount,
  Counted,
}: Pick<Finding, 'Amount' | 'Counted'>): number | undefined {
  if (Amount === null || Counted === undefined || Counted > Amount * (1 - MIN_OVERLAP)) return undefined
  return roundEstimate(Counted) < roundEstimate(Amount) ? Counted : undefined
}

/** Name of a built-in plan or of a tariff of the company. */
export function usePlanName(): (PlanID: string) => string {
  const t = useT()
  const mayRead = useMay('electricity', 'Read')
  const { data: ownTariffs } = useQuery({ ...callQuery(tariff.operations.list, {}), enabled: mayRead })
  return useCallback(
    (PlanID) => {
      const key = `tariff:plans.${PlanID}`
      if (hasText(key)) return t(key)
      return ownTariffs?.find(({ TariffID }) => TariffID === PlanID)?.TariffName ?? PlanID
    },
    [ownTariffs, t],
  )
}

export function useFindingWords() {
  const t = useT()
  const date = useFormatDate()
  const planName = usePlanName()
  /** Numbers with decimals, shares as percentages, dates in words, plans by name. */
  const valueOf = (kind: Finding['Kind'], name: string, value: number | string): string => {
    if (typeof value === 'string') return kind === 'plan' ? planName(value) : date(value)
    if (name === 'Share') return formatShare(value)
    return Number.isInteger(value) ? formatNumber(value) : formatFigure(value)
  }
  return {
    titleOf: ({ Kind }: Pick<Finding, 'Kind'>) => t(`insight:findings.kinds.${Kind}`),
    /** Name of the place; the whole site if there is none. */
    placeOf: ({ PlaceName, Place }: Pick<Finding, 'PlaceName' | 'Place'>) =>
      PlaceName ?? Place.MeterID ?? t('insight:findings.wholeHome'),
    sentenceOf: ({ Kind, Why }: Pick<Finding, 'Kind' | 'Why'>): string => {
      const key = `insight:findings.why.${Why.Key}`
      // A gateway of another version may send an unknown key.
      if (!hasText(key)) return t(`insight:findings.kinds.${Kind}`)
      const values = Object.entries(Why.Values).map(([name, value]) => [name, valueOf(Kind, name, value)])
      return t(key, Object.fromEntries(values) as Record<string, string>)
    },
    amountOf: ({ Kind, Amount }: Pick<Finding, 'Kind' | 'Amount'>): string => {
      if (Amount === null) return t('insight:findings.noAmount')
      const amount = moneyText(roundEstimate(Amount))
      return Kind === 'silent' ? t('insight:findings.unseen', { amount }) : amount
    },
    gapText: ({ Reason, Have, Needed, EnoughOn }: HeadlineGap): string => {
      const valueText = (value: number) => (Reason === 'coverage' ? formatShare(value) : String(value))
      return t(`insight:findings.lacks.${Reason === 'days' && EnoughOn === null ? 'daysUnknown' : Reason}`, {
        have: valueText(Have),
        needed: valueText(Needed),
        day: date(EnoughOn ?? ''),
      })
    },
  }
}
