import CalendarOutlined from '@ant-design/icons-svg/es/asn/CalendarOutlined.js'
import type { ComponentProps } from 'react'
import { lazyPart, type LazyPart } from '../../page/lazy.tsx'
import { ReadOnlyField } from '../../plain/read-only-field.tsx'
import type { DayField } from './day-field.tsx'

/** A `DayField` that loads Ant Design on demand; the day is readable in the meantime. */
export const LazyDayField: LazyPart<ComponentProps<typeof DayField>> = lazyPart(
  async () => ({ default: (await import('./day-field.tsx')).DayField }),
  { fallback: ({ value }) => <ReadOnlyField text={value} icon={CalendarOutlined} /> },
)
