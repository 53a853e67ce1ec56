import { useEffect, useId, useRef, type KeyboardEvent, type ReactNode } from 'react'
import { moveFocus } from './move-focus.ts'
import styles from './plain-tabs.module.css'

interface Props<Key extends string> {
  tabs: readonly { key: Key; label: string }[]
  activeKey: Key
  choose: (key: Key) => void
  children: ReactNode
}

/** Tabs without Ant Design. Arrows, Home and End move between the tabs; Enter and Space open one, which adds a history entry. */
export function PlainTabs<Key extends string>({ tabs, activeKey, choose, children }: Props<Key>) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const opened = tabs.findIndex(({ key }) => key === activeKey)
  // Initially the first tab is visible already; measuring would force a layout of the page.
  const last = useRef(0)
  useEffect(() => {
    if (opened === last.current) return
    last.current = opened
    const [all, tab] = [list.current, list.current?.children[opened] as HTMLElement | undefined]
    if (all && tab) all.scrollLeft = tab.offsetLeft - (all.clientWidth - tab.offsetWidth) / 2
  }, [opened])
  return (
    <>
      <div ref={list} role="tablist" className={styles.list}>
        {tabs.map(({ key, label }) => {
          const open = key === activeKey
          return (
            <button
              key={key}
              type="button"
              role="tab"
              id={`${id}${key}`}
              className={styles.tab}
              aria-selected={open}
              aria-controls={open ? id : undefined}
              tabIndex={open ? 0 : -1}
              onClick={() => choose(key)}
              onKeyDown={moveBetweenTabs}
            >
              {label}
            </button>
          )
        })}
      </div>
      <div role="tabpanel" id={id} aria-labelledby={`${id}${activeKey}`}>
        {children}
      </div>
    </>
  )
}

const moveBetweenTabs = (event: KeyboardEvent<HTMLElement>) =>
  moveFocus(event, [...(event.currentTarget.parentElement?.children ?? [])] as HTMLElement[], [
    'ArrowRight',
    'ArrowLeft',
  ])
