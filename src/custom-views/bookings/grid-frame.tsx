import { useLayoutEffect, useRef, useState, type CSSProperties, type FC, type ReactNode } from 'react'
import { useT } from '../../lib/i18n/i18n.ts'
import page from '../../ui/page/page.module.css'
import styles from './bookings.module.css'
import { type KeyboardSelection, createKeyboardSelection } from './keyboard-selection.ts'
import type { TrackProps } from './track.tsx'

/** The hour that stands at the edge at first, and how much of the one before is seen, in pixels. */
const FIRST_HOUR = 8
const BEFORE = 10

interface Props {
  axis: TrackProps['axis']
  /** Pixels of an hour. */
  hour: number
  className: string | undefined
  mayBook: boolean
  /** Draws the tracks: what the keys marked goes from one to the next, and what they meet is said. */
  children: (shared: { carrier: KeyboardSelection; say: (text: string) => void }) => ReactNode
}

/** What both calendars begin with: how to book, hours that scroll, and a line that says where the keys stand. */
export const GridFrame: FC<Props> = ({ axis, hour, className, mayBook, children }) => {
  const t = useT()
  const frame = useRef<HTMLDivElement>(null)
  const [carrier] = useState(createKeyboardSelection)
  const [said, say] = useState('')
  // Walking through days leaves the hours where the person put them.
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
        {children({ carrier, say })}
      </div>
      <div className={styles.said} role="status">
        {said}
      </div>
    </>
  )
}
