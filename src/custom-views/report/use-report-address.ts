import { useCallback } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import { REPORT_KINDS, type ReportKind, ReportPeriod } from '../../../contract/reports/calls.ts'
import { formatMonth, monthOf } from '../../../contract/time/periods.ts'
import { isLanguage, useLanguage } from '../../lib/i18n/i18n.ts'
import type { Language } from '../../lib/i18n/words.ts'
import { pathTo } from '../../navigation/paths.ts'

/** Number of months and years to choose from. */
const MONTHS = 36
const YEARS = 8

/** Periods of a kind that have begun, the newest first. */
export function periodsOf(kind: ReportKind, now: number, zone: string): string[] {
  const month = monthOf(now, zone)
  if (kind === 'monthly') return Array.from({ length: MONTHS }, (_, i) => formatMonth(month - i))
  return Array.from({ length: YEARS }, (_, i) => String(Math.floor(month / 12) - i))
}

export interface ReportAddress {
  /** Null for the whole company. */
  HomeID: string | null
  Kind: ReportKind
  Period: string
  Language: Language
}

/** Report in the address, by default the last complete period; and navigation to another. */
export function useReportAddress(now: number, zone: string) {
  const { HomeID = null, Kind, Period } = useParams()
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const ownLanguage = useLanguage()
  const kind = REPORT_KINDS.find((candidate) => candidate === Kind) ?? 'monthly'
  const isOfKind = ReportPeriod.safeParse(Period).success && (Period?.length === 7) === (kind === 'monthly')
  const [, last = ''] = periodsOf(kind, now, zone)
  const requestedLanguage = search.get('language')
  const address: ReportAddress = {
    HomeID,
    Kind: kind,
    Period: isOfKind ? (Period as string) : last,
    Language: isLanguage(requestedLanguage) ? requestedLanguage : ownLanguage,
  }
  const changeAddress = useCallback(
    (changes: Partial<ReportAddress>) => {
      const next = { ...address, ...changes }
      const [, newest = ''] = periodsOf(next.Kind, now, zone)
      const params = { Kind: next.Kind, Period: changes.Kind ? newest : next.Period }
      const path =
        next.HomeID === null
          ? pathTo('CompanyReport', params)
          : pathTo('Report', { HomeID: next.HomeID, ...params })
      void navigate(
        next.Language === ownLanguage ? path : `${path}?${new URLSearchParams({ language: next.Language })}`,
      )
    },
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the address by its parts
    [address.HomeID, address.Kind, address.Period, address.Language, ownLanguage, now, zone, navigate],
  )
  return { address, go: changeAddress }
}
