import { describeField } from '../../data/failure.ts'
import { BANDS, CAPACITIES } from '../../../contract/tariffs/tariff-terms.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { useSpanWords } from './use-tariff.ts'

/** Error at a field; `path` ends with its place there, e.g. the uncovered minutes. */
export interface Fault {
  path: string
  text: string
}

/** Rejected fields of `useAction`, in words. */
export const faultsOf = (refused: Readonly<Record<string, string>>): Fault[] =>
  Object.entries(refused).map(([path, reason]) => ({ path, text: describeField(reason, path) }))

/** Labels of fields by the end of their paths. */
const FIELDS = {
  TariffName: 'tariff:own.name',
  PlanID: 'tariff:home.plan',
  ValidFrom: 'tariff:from',
  ValidThrough: 'tariff:through',
  From: 'tariff:own.seasonFrom',
  Through: 'tariff:own.seasonThrough',
  FromMinute: 'tariff:own.windowFrom',
  ThroughMinute: 'tariff:own.windowThrough',
  Tiers: 'tariff:kinds.tiered',
  ThroughKwh: 'tariff:own.tierThrough',
  Price: 'tariff:own.tierPrice',
} as const

/** Text for the place of an error in a tariff: days or minutes as they are, a field by its label, a price by its band. */
export function useFaultPlace(): (path: string) => string {
  const t = useT()
  const spanWords = useSpanWords()
  return (path) => {
    const [of = '', last = path] = path.split('.').slice(-2)
    const band = BANDS.find((knownBand) => knownBand === last)
    if (of === 'Prices' && band) return t('tariff:own.price', { band: t(`tariff:bands.${band}`) })
    const capacity = CAPACITIES.find((knownCapacity) => knownCapacity === last)
    if (capacity) return t(`tariff:capacities.${capacity}`)
    if (last in FIELDS) return t(FIELDS[last as keyof typeof FIELDS])
    const [from, through] = last.split('/')
    if (from && through !== undefined) return spanWords(from, through || null)
    return last.replace('-', '–')
  }
}
