import { useMemo, useState, type FC } from 'react'
import { useLanguage } from '../../lib/i18n/i18n.ts'
import { FormSelect } from './form-select.tsx'
import { isTimeZone, timeZones, zoneName } from '../../lib/time-zones.ts'
import { holdsLabel } from '../../lib/match-words.ts'

interface Props {
  id?: string
  value?: string
  onChange?: (zone: string) => void
}

/** Select of an IANA time zone by its id, its name in the user's language, or its offset. */
export const TimeZoneSelect: FC<Props> = (props) => {
  const { value } = props
  const language = useLanguage()
  const [isOpened, setOpened] = useState(false)
  const all = useMemo(() => (isOpened ? timeZones(language) : undefined), [isOpened, language])
  // An import may be in a fixed offset such as UTC+08:00, which is shown as it is.
  const own = useMemo(
    () => (value !== undefined && isTimeZone(value) ? [zoneName(value, language)] : []),
    [value, language],
  )
  const options = useMemo(
    () =>
      (all ?? own).map(({ zone, name, offset }) => ({
        value: zone,
        label: `(${offset}) ${zone.replaceAll('_', ' ')} · ${name}`,
      })),
    [all, own],
  )
  return (
    <FormSelect
      {...props}
      showSearch
      filterOption={holdsLabel}
      options={options}
      onOpenChange={(isOpen) => isOpen && setOpened(true)}
    />
  )
}
