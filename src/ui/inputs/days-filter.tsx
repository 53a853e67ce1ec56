import { DatePicker } from 'antd'
import type { FC } from 'react'
import { dayOf } from '../../../contract/time/periods.ts'
import { siteToday } from './site-today.tsx'
import { useNow } from '../page/use-now.ts'
import { readDay, writeDay } from './days.ts'
import { useZone } from '../page/format-when.ts'

interface Props {
  label: string
  /** Days as in the address; '' leaves that end open. */
  from: string
  to: string
  change: (next: { from: string | undefined; to: string | undefined }) => void
}

/** List filter by a range of whole days, either end may be open. */
export const DaysFilter: FC<Props> = ({ label, from, to, change }) => {
  const today = dayOf(useNow(), useZone())
  return (
    <DatePicker.RangePicker
      allowEmpty={[true, true]}
      value={[readDay(from) ?? null, readDay(to) ?? null]}
      onChange={(days) =>
        change({
          from: days?.[0] ? writeDay(days[0]) : undefined,
          to: days?.[1] ? writeDay(days[1]) : undefined,
        })
      }
      aria-label={label}
      {...siteToday(today)}
    />
  )
}
