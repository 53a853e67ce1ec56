import CloseCircleFilled from '@ant-design/icons-svg/es/asn/CloseCircleFilled.js'
import SearchOutlined from '@ant-design/icons-svg/es/asn/SearchOutlined.js'
import { useEffect, useRef, useState, type FC } from 'react'
import { useT } from '../../lib/i18n/i18n.ts'
import { Icon } from '../plain/icon.tsx'
import styles from './search-box.module.css'
import { onEnter } from './on-enter.ts'

/** Delay before the gateway is called, in ms. */
const DEBOUNCE_MS = 250
/** Delay of a search in rows that are all loaded, in ms. */
export const LOCAL_DEBOUNCE_MS = 60

interface Props {
  value: string
  label: string
  search: (text: string) => void
  /** Debounce interval of `search`, in ms. */
  pause?: number
  className?: string | undefined
}

/** Search box: shows typed text at once, and searches when typing pauses. */
export const SearchBox: FC<Props> = ({
  value,
  label,
  search,
  pause = DEBOUNCE_MS,
  className = styles.search,
}) => {
  const t = useT()
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(value)
  const [shownText, setShownText] = useState(value)
  const [sentText, setSentText] = useState(value)
  if (shownText !== value) {
    setShownText(value)
    // Cleared or changed from outside. The value sent from here may return after more has been typed.
    if (value !== sentText) setText(value)
    setSentText(value)
  }
  useEffect(() => {
    if (text.trim() === value) return
    const timer = setTimeout(() => {
      setSentText(text.trim())
      search(text.trim())
    }, pause)
    return () => clearTimeout(timer)
  }, [text, value, search, pause])
  return (
    <span className={`${styles.box} ${className ?? ''}`}>
      <Icon of={SearchOutlined} />
      <input
        ref={input}
        type="search"
        className={styles.input}
        value={text}
        maxLength={100}
        data-keys="/"
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onEnter(() => search(text.trim()))}
        placeholder={label}
        aria-label={label}
      />
      {text && (
        <button
          type="button"
          className={styles.clear}
          aria-label={t('screens:emptySearch')}
          title={t('screens:emptySearch')}
          onClick={() => {
            setText('')
            input.current?.focus()
          }}
        >
          <Icon of={CloseCircleFilled} />
        </button>
      )}
    </span>
  )
}
