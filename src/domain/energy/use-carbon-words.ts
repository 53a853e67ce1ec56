import {
  CARBON_FACTORS,
  type CarbonFactorOfYear,
  DEFAULT_CARBON_FACTOR,
} from '../../../contract/tariffs/carbon.ts'
import { formatFactor } from '../../../contract/kernel/numbers.ts'
import { useT } from '../../lib/i18n/i18n.ts'

/** Describes the source of a year's emission factor, and the alternative one: 系統預設；2023 年度公告值. */
export function useCarbonWords() {
  const t = useT()
  const sourceOf = ({ Source, Of }: CarbonFactorOfYear) =>
    t(`energy:carbon.sources.${Source}`, { year: Of ?? '' })
  /** The published factor of the year, or 0.494, whichever is not used. */
  const otherOf = ({ Year, Source }: CarbonFactorOfYear): string | undefined => {
    const published = CARBON_FACTORS[Year]
    if (Source === 'constant' && published !== undefined && published !== DEFAULT_CARBON_FACTOR)
      return t('energy:carbon.publishedOther', { year: Year, factor: formatFactor(published) })
    if (Source === 'published' || Source === 'latest')
      return t('energy:carbon.constantOther', { factor: formatFactor(DEFAULT_CARBON_FACTOR) })
    return undefined
  }
  return {
    sourceOf,
    otherOf,
    /** One sentence for figures of several years; consecutive years with the same factor and source are merged. */
    sentenceOf: (years: readonly CarbonFactorOfYear[]): string =>
      years
        .filter(({ Factor, Source }, i) => Factor !== years[i + 1]?.Factor || Source !== years[i + 1]?.Source)
        .map((year) =>
          t(years.length > 1 ? 'energy:carbon.factorOfYear' : 'energy:carbon.factor', {
            year: year.Year,
            factor: formatFactor(year.Factor),
            source: [sourceOf(year), otherOf(year)].filter(Boolean).join(t('energy:carbon.and')),
          }),
        )
        .join(t('energy:carbon.and')),
  }
}
