import CalendarOutlined from '@ant-design/icons-svg/es/asn/CalendarOutlined.js'
import type { ComponentProps } from 'react'
import { lazyPart, type LazyPart } from '../../page/lazy-part.tsx'
import { ReadOnlyField } from '../../plain/read-only-field.tsx'
import type { DayField } from './day-field.tsx'

/** A `DayField` where Ant Design may not be there: until it is, its day can be read. */
export const LazyDayField: LazyPart<ComponentProps<typeof DayField>> = lazyPart(
  async () => ({ default: (await import('./day-field.tsx')).DayField }),
  { meanwhile: ({ value }) => <ReadOnlyField text={value} icon={CalendarOutlined} /> },
)
