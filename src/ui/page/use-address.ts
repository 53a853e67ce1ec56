import { useCallback } from 'react'
import { useSearchParams } from 'react-router'

/** Filters as they stand in the address; what is empty or undefined leaves it. */
export function useAddress(): {
  get: (name: string) => string
  change: (next: Readonly<Record<string, string | undefined>>) => void
} {
  const [params, setParams] = useSearchParams()
  const change = useCallback(
    (next: Readonly<Record<string, string | undefined>>) =>
      setParams(
        (now) => {
          const all = new URLSearchParams(now)
          for (const [name, value] of Object.entries(next))
            if (value) all.set(name, value)
            else all.delete(name)
          return all
        },
        { replace: true },
      ),
    [setParams],
  )
  return { get: (name) => params.get(name) ?? '', change }
}

/** The value if it is one of these, else undefined: an address may say anything. */
export const oneOf = <T extends string>(values: readonly T[], given: string): T | undefined =>
  values.find((value) => value === given)

/** A list's order from an address: `-Company` is Company, descending. */
export function readSort<T extends string>(
  sorts: readonly T[],
  given: string,
): { Sort: T; Descending: boolean } | undefined {
  const Sort = oneOf(sorts, given.replace(/^-/, ''))
  return Sort && { Sort, Descending: given.startsWith('-') }
}
