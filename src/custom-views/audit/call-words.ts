import { useCallback } from 'react'
import { resources } from '../../../contract/index.ts'
import { hasText, useT } from '../../lib/i18n/i18n.ts'

/** Whose call it is, by its path. */
const recordOf = new Map(
  Object.entries(resources).flatMap(([name, { operations }]) =>
    Object.values(operations).map(({ path }) => [path as string, name] as const),
  ),
)

/** What a call does, in words; one that is no more is shown by its name. */
export function useCallWords(): (path: string) => string {
  const t = useT()
  return useCallback(
    (path) => {
      const call = path.slice(1)
      const keys = [`audit:calls.${call}`, `resources:${recordOf.get(path)}.calls.${call}`]
      const key = keys.find(hasText)
      return key ? t(key) : path
    },
    [t],
  )
}
