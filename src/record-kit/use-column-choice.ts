import { useState } from 'react'

/** Columns of a list that the user has hidden, stored on this device under `columns.<list>`. */
export function useColumnChoice(list: string): {
  hidden: ReadonlySet<string>
  toggle: (column: string) => void
} {
  const key = `columns.${list}`
  const [hidden, setHidden] = useState<ReadonlySet<string>>(() => read(key))
  return {
    hidden,
    toggle: (column) => {
      const next = new Set(hidden)
      if (!next.delete(column)) next.add(column)
      localStorage.setItem(key, JSON.stringify([...next]))
      setHidden(next)
    },
  }
}

function read(key: string): ReadonlySet<string> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return new Set(Array.isArray(stored) ? stored.filter((name) => typeof name === 'string') : [])
  } catch {
    return new Set()
  }
}
