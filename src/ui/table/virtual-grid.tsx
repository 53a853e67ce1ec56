import { useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import styles from './virtual-grid.module.css'

interface Props<Item> {
  items: readonly Item[]
  /** Height of the scroll container, px. */
  height: number
  itemHeight: number
  /** Minimum width of a column, px. */
  itemWidth: number
  /** Gap between items, px. */
  gap?: number
  keyOf: (item: Item) => string
  render: (item: Item) => ReactNode
}

const OVERSCAN_ROWS = 3

/** Cards of equal height in as many columns as fit; only those near the viewport are rendered. */
export function VirtualGrid<Item>({
  items,
  height,
  itemHeight,
  itemWidth,
  gap = 12,
  keyOf,
  render,
}: Props<Item>) {
  const ref = useRef<HTMLDivElement>(null)
  const [columns, setColumns] = useState(1)
  const [top, setTop] = useState(0)
  useLayoutEffect(() => {
    const measure = () => {
      const width = ref.current?.clientWidth ?? 0
      setColumns(Math.max(1, Math.floor((width + gap) / (itemWidth + gap))))
    }
    measure()
    if (typeof ResizeObserver === 'undefined' || !ref.current) return
    const observer = new ResizeObserver(measure)
    observer.observe(ref.current)
    return () => observer.disconnect()
  }, [itemWidth, gap])

  const step = itemHeight + gap
  const lines = Math.ceil(items.length / columns)
  const first = Math.min(Math.max(0, Math.floor(top / step) - OVERSCAN_ROWS), Math.max(0, lines - 1))
  const last = Math.min(lines, Math.ceil((top + height) / step) + OVERSCAN_ROWS)
  return (
    <div
      ref={ref}
      className={styles.scroller}
      style={{ maxHeight: height }}
      onScroll={(event) => {
        // Only a change of the first row requires a render.
        const next = Math.floor(event.currentTarget.scrollTop / step) * step
        if (next !== top) setTop(next)
      }}
    >
      <ul
        className={styles.grid}
        style={{
          gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
          gridAutoRows: itemHeight,
          gap,
          paddingTop: first * step,
          paddingBottom: Math.max(0, lines - last) * step,
        }}
      >
        {items.slice(first * columns, last * columns).map((item) => (
          <li key={keyOf(item)}>{render(item)}</li>
        ))}
      </ul>
    </div>
  )
}
