import { useT } from '../../../lib/i18n/i18n.ts'
import { useFormatDate } from '../../../ui/page/format-when.ts'

/** Text for the first day of a fact; null means always. */
export function useSinceWords(): (From: string | null) => string {
  const t = useT()
  const date = useFormatDate()
  return (From) => (From === null ? t('meters:facts.always') : t('meters:facts.from', { date: date(From) }))
}
