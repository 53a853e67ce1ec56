import { useLayoutEffect, useRef, useState, type CSSProperties, type FC, type ReactNode } from 'react'
import { useT } from '../../lib/i18n/i18n.ts'
import page from '../../ui/page/page.module.css'
import styles from './bookings.module.css'
import { type KeyboardSelection, createKeyboardSelection } from './keyboard-selection.ts'
import type { TrackProps } from './track.tsx'

/** Hour at the edge at first, and pixels of the previous one that stay visible. */
const FIRST_HOUR = 8
const BEFORE = 10

interface Props {
  axis: TrackProps['axis']
  hour: number
  className: string | undefined
  mayBook: boolean
  /** Renders the tracks, with the shared keyboard selection and screen reader announcements. */
  children: (shared: { carrier: KeyboardSelection; announce: (text: string) => void }) => ReactNode
}

/** Frame of both calendars: hint on how to book, scrolling hours, and a live region for the keyboard position. */
export const GridFrame: FC<Props> = ({ axis, hour, className, mayBook, children }) => {
  const t = useT()
  const frame = useRef<HTMLDivElement>(null)
  const [carrier] = useState(createKeyboardSelection)
  const [announcement, announce] = useState('')
  // Changing the day keeps the scroll position.
  useLayoutEffect(() => {
    if (frame.current) frame.current[axis === 'x' ? 'scrollLeft' : 'scrollTop'] = FIRST_HOUR * hour - BEFORE
  }, [axis, hour])
  return (
    <>
      <p className={page.hint} id="grid-help">
        {t(mayBook ? 'bookings:grid.help' : 'bookings:grid.helpReadOnly')}
      </p>
      <div
        ref={frame}
        className={className}
        data-tracks=""
        style={{ '--hour': `${hour}px` } as CSSProperties}
      >
        {children({ carrier, announce })}
      </div>
      <div className={styles.said} role="status">
        {announcement}
      </div>
    </>
  )
}
