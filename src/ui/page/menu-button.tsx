import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { moveFocus } from '../plain/move-focus.ts'
import './menu-button.css'

export interface MenuItem {
  key: string
  label: string
  /** Language of the label if it differs from the page's. */
  lang?: string
  /** Makes it a radio item, and whether it is selected. */
  checked?: boolean
  danger?: boolean
  onSelect: () => void
}

export interface MenuSection {
  key: string
  title?: ReactNode
  /** Shown on phones only, where the header has no space for separate buttons. */
  phoneOnly?: boolean
  items: readonly MenuItem[]
}

/** Visible items; the style sheet hides phone sections on larger screens. */
const shownItems = (box: HTMLElement | null): HTMLElement[] =>
  [...(box?.querySelectorAll<HTMLElement>('[role^="menuitem"]') ?? [])].filter(
    (item) => getComputedStyle(item.parentElement ?? item).display !== 'none',
  )

/**
 * Button with a menu: arrows, Home and End move, Enter and Space select, Escape and a click outside close. Ant Design's menu would be a
 * tenth of the first screen's size budget.
 */
export function MenuButton(props: {
  label: string
  icon: ReactNode
  text?: string
  className?: string
  sections: readonly MenuSection[]
}) {
  const [open, setOpen] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const id = useId()

  useEffect(() => {
    if (!open) return
    // Near the bottom of the window the menu would be cut off. Not every environment has `scrollIntoView`.
    box.current?.querySelector('[role=menu]')?.scrollIntoView?.({ block: 'nearest' })
    shownItems(box.current)[0]?.focus({ preventScroll: true })
    const outside = (event: PointerEvent) => {
      if (!box.current?.contains(event.target as Node)) setOpen(false)
    }
    addEventListener('pointerdown', outside)
    return () => removeEventListener('pointerdown', outside)
  }, [open])

  function close() {
    setOpen(false)
    button.current?.focus()
  }

  function onKey(event: KeyboardEvent) {
    if (event.key === 'Escape') {
      event.stopPropagation()
      return close()
    }
    if (event.key === 'Tab') return setOpen(false)
    moveFocus(event, shownItems(box.current), ['ArrowDown', 'ArrowUp'])
  }

  return (
    <div ref={box} className={`menu-box ${props.className ?? ''}`}>
      <button
        ref={button}
        type="button"
        className="header-button"
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        aria-label={props.label}
        title={props.label}
        onClick={() => setOpen(!open)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return
          event.preventDefault()
          setOpen(true)
        }}
      >
        {props.icon}
        {props.text && <span className="menu-text">{props.text}</span>}
      </button>
      {open && (
        <div
          id={id}
          role="menu"
          tabIndex={-1}
          aria-label={props.label}
          className="menu-list"
          onKeyDown={onKey}
        >
          {props.sections.map((section) => (
            <div
              key={section.key}
              role="group"
              className={section.phoneOnly ? 'menu-section phone-only' : 'menu-section'}
            >
              {section.title && <div className="menu-title">{section.title}</div>}
              {section.items.map((item) => (
                <button
                  key={item.key}
                  type="button"
                  role={item.checked === undefined ? 'menuitem' : 'menuitemradio'}
                  aria-checked={item.checked}
                  lang={item.lang}
                  tabIndex={-1}
                  data-danger={item.danger}
                  onClick={() => {
                    close()
                    item.onSelect()
                  }}
                >
                  <span className="menu-check" aria-hidden="true">
                    {item.checked ? '✓' : ''}
                  </span>
                  {item.label}
                </button>
              ))}
            </div>
          ))}
        </div>
      )}
    </div>
  )
}
