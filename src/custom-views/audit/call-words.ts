import { useCallback } from 'react'
import { hasText, useT } from '../../lib/i18n/i18n.ts'

/** What a call does, in words; one that is no more is shown by its name. */
export function useCallWords(): (path: string) => string {
  const t = useT()
  return useCallback(
    (path) => {
      const key = `audit:calls.${path.slice(1)}`
      return hasText(key) ? t(key) : path
    },
    [t],
  )
}
