import type { OpeningHours, PlaceFact } from '../../../../contract/homes/place-facts-calls.ts'
import { useLanguage, useT } from '../../../lib/i18n/i18n.ts'
import { useHoursWords } from './hours-words.ts'

export function usePlaceWords(): (fact: Pick<PlaceFact, 'RoomID' | 'Fact' | 'Value'>) => string {
  const t = useT()
  const language = useLanguage()
  const hours = useHoursWords()
  return ({ RoomID, Fact, Value }) => {
    if (Fact === 'area')
      return `${(Value as number).toLocaleString(language, { maximumFractionDigits: 2 })} m²`
    if (Value === null && RoomID !== null) return t('meters:places.asSite')
    return hours(Value as OpeningHours | null)
  }
}
