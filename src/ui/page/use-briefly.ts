import { useEffect, useState } from 'react'

/**
 * State that is true for a time after it was set, e.g. while an action can be undone.
 *
 * ms  duration from the last change to true
 */
export function useBriefly(ms: number): [isOn: boolean, setOn: (isOn: boolean) => void] {
  const [isOn, setOn] = useState(false)
  useEffect(() => {
    if (!isOn) return
    const timer = setTimeout(() => setOn(false), ms)
    return () => clearTimeout(timer)
  }, [isOn, ms])
  return [isOn, setOn]
}
