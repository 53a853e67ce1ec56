import Search from 'antd/es/input/Search'
import { useEffect, useState, type FC } from 'react'
import styles from './search-box.module.css'

/** Before the gateway is asked, in ms. */
const PAUSE = 250

interface Props {
  value: string
  label: string
  search: (text: string) => void
  /** Typing pauses this long before `search` is called, in ms. */
  pause?: number
  className?: string | undefined
}

/** A search box: what is typed stands in it at once, and is searched for when typing pauses. */
export const SearchBox: FC<Props> = ({ value, label, search, pause = PAUSE, className = styles.search }) => {
  const [text, setText] = useState(value)
  const [shown, setShown] = useState(value)
  const [sent, setSent] = useState(value)
  if (shown !== value) {
    setShown(value)
    // Cleared or changed from outside. What was sent from here comes back while more may have been typed.
    if (value !== sent) setText(value)
    setSent(value)
  }
  useEffect(() => {
    if (text.trim() === value) return
    const timer = setTimeout(() => {
      setSent(text.trim())
      search(text.trim())
    }, pause)
    return () => clearTimeout(timer)
  }, [text, value, search, pause])
  return (
    <Search
      allowClear
      value={text}
      maxLength={100}
      data-keys="/"
      onChange={(event) => setText(event.target.value)}
      onSearch={(final) => search(final.trim())}
      placeholder={label}
      aria-label={label}
      className={className ?? ''}
    />
  )
}
