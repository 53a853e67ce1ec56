import { useMemo, type FC } from 'react'
import { useLanguage } from '../../lib/i18n/i18n.ts'
import { FormSelect } from './form-select.tsx'
import { timeZones } from '../../lib/time-zones.ts'
import { holdsLabel } from '../../lib/match-words.ts'

interface Props {
  id?: string
  value?: string
  onChange?: (zone: string) => void
}

/** Select of an IANA time zone by its id, its name in the user's language, or its offset. */
export const TimeZoneSelect: FC<Props> = (props) => {
  const language = useLanguage()
  const options = useMemo(
    () =>
      timeZones(language).map(({ zone, name, offset }) => ({
        value: zone,
        label: `(${offset}) ${zone.replaceAll('_', ' ')} · ${name}`,
      })),
    [language],
  )
  return <FormSelect {...props} showSearch filterOption={holdsLabel} options={options} />
}
