import { useT } from '../../lib/i18n/i18n.ts'
import { PlainSegmented } from '../../ui/plain/plain-choice.tsx'

interface Props {
  /** Length of a booking in minutes, one of `lengths`. */
  value: number
  choose: (minutes: number) => void
  lengths: readonly number[]
  /** Fills the width of its container. */
  block?: boolean
}

/** Choice of the length of a booking. */
export function LengthChoice({ value, choose, lengths, block = false }: Props) {
  const t = useT()
  return (
    <PlainSegmented
      block={block}
      label={t('bookings:free.length')}
      value={String(value)}
      onChange={(minutes) => choose(Number(minutes))}
      options={lengths.map((minutes) => ({
        value: String(minutes),
        label: t('bookings:minutes', { count: minutes }),
      }))}
    />
  )
}
