import { useCallback, useContext, useLayoutEffect, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { PageHistory, useIsCurrentPage } from './page-history.tsx'

/** Choices of one control within this interval are one history entry: an arrow that is pressed five times, chips of one filter. */
const ONE_STEP_MS = 1_000

let last = { control: '', after: '', at: -Infinity }

/**
 * Whether a new address replaces the previous history entry: a control adds one entry per second, as long as nothing else changes the
 * address.
 *
 * now  ms of a monotonic clock
 */
export function isSameStep(
  before: URLSearchParams,
  after: URLSearchParams,
  now: number = performance.now(),
): boolean {
  const names = new Set([...before.keys(), ...after.keys()])
  const control = [...names]
    .filter((name) => before.getAll(name).join('\n') !== after.getAll(name).join('\n'))
    .toSorted()
    .join()
  const isSame = control === last.control && before.toString() === last.after && now - last.at < ONE_STEP_MS
  last = { control, after: after.toString(), at: now }
  return isSame
}

/** Kind of an address change: typing and zooming replace the history entry, a choice adds one. */
export type AddressChange = 'choice' | 'typing'

/**
 * Parameters of the address, and a function that changes them. Without a difference, no history entry is added.
 *
 * change  stable, so that lists are not rendered again for it
 */
export function useAddressParams(): {
  params: URLSearchParams
  change: (edit: (all: URLSearchParams) => void, mode?: AddressChange) => void
} {
  const [params, setParams] = useSearchParams()
  const isStillHere = useIsCurrentPage()
  const history = useContext(PageHistory)
  // The router creates new functions for each address.
  const latest = useRef({ params, setParams, isStillHere })
  useLayoutEffect(() => {
    latest.current = { params, setParams, isStillHere }
  })
  const change = useCallback(
    (edit: (all: URLSearchParams) => void, mode: AddressChange = 'choice') => {
      const { params: rendered, setParams: set } = latest.current
      if (!latest.current.isStillHere()) return
      // The page is rendered some time after a change of the address: a second change must not undo the first.
      const before = history ? new URLSearchParams(history.location.search) : rendered
      const after = new URLSearchParams(before)
      edit(after)
      if (after.toString() === before.toString()) return
      set(after, { replace: mode === 'typing' || isSameStep(before, after) })
    },
    [history],
  )
  return { params, change }
}

/** Sets a parameter, or deletes it if the value is empty. */
export const putParam = (all: URLSearchParams, name: string, value: string | undefined): void =>
  value ? all.set(name, value) : all.delete(name)

/** Filters in the address; empty or undefined values are removed. `q` is the search text, which is typed. */
export function useAddress(): {
  get: (name: string) => string
  change: (next: Readonly<Record<string, string | undefined>>) => void
} {
  const { params, change: edit } = useAddressParams()
  const change = useCallback(
    (next: Readonly<Record<string, string | undefined>>) => {
      const isTyped = Object.entries(next).every(([name]) => name === 'q')
      edit(
        (all) => {
          for (const [name, value] of Object.entries(next)) putParam(all, name, value)
        },
        isTyped ? 'typing' : 'choice',
      )
    },
    [edit],
  )
  return { get: (name) => params.get(name) ?? '', change }
}

/** The value if it is one of `values`, else undefined: an address may contain anything. */
export const oneOf = <T extends string>(values: readonly T[], text: string): T | undefined =>
  values.find((value) => value === text)

/** Sort order of a list from an address: `-Company` is Company, descending. */
export function readSort<T extends string>(
  sorts: readonly T[],
  text: string,
): { Sort: T; Descending: boolean } | undefined {
  const Sort = oneOf(sorts, text.replace(/^-/, ''))
  return Sort && { Sort, Descending: text.startsWith('-') }
}
