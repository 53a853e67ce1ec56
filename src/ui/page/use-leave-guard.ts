import { useCallback, useRef, useState } from 'react'
import { useT } from '../../lib/i18n/i18n.ts'
import { confirmLeave } from './ask-to-leave.ts'
import { useUnsavedGuard } from './use-unsaved-guard.ts'

/**
 * Protects unsaved text. Leaving the page (a link, Back, closing the window) asks by itself; closing a dialog or a drawer without leaving
 * the page must call `ask`.
 */
export function useLeaveGuard(): { setDirty: (dirty: boolean) => void; ask: (leave: () => void) => void } {
  const t = useT()
  const [dirty, draw] = useState(false)
  const now = useRef(false)
  useUnsavedGuard(dirty, () => now.current)
  const setDirty = useCallback((next: boolean) => {
    now.current = next
    draw(next)
  }, [])
  return {
    setDirty,
    ask: (leave) => {
      if (now.current) confirmLeave(t, leave)
      else leave()
    },
  }
}
