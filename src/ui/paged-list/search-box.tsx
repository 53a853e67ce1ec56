import { Input } from 'antd'
import { useEffect, useState, type FC } from 'react'
import styles from './paged-list.module.css'

/** Typing pauses this long before the gateway is asked, in ms. */
const PAUSE = 250

/** A search of what the gateway holds: asked when typing pauses. */
export const SearchBox: FC<{ value: string; label: string; search: (text: string) => void }> = ({
  value,
  label,
  search,
}) => {
  const [text, setText] = useState(value)
  const [shown, setShown] = useState(value)
  // Cleared or changed from outside.
  if (shown !== value) {
    setShown(value)
    if (text.trim() !== value) setText(value)
  }
  useEffect(() => {
    if (text.trim() === value) return
    const timer = setTimeout(() => search(text.trim()), PAUSE)
    return () => clearTimeout(timer)
  }, [text, value, search])
  return (
    <Input.Search
      allowClear
      value={text}
      maxLength={100}
      onChange={(event) => setText(event.target.value)}
      onSearch={(final) => search(final.trim())}
      placeholder={label}
      aria-label={label}
      className={styles.search}
    />
  )
}
