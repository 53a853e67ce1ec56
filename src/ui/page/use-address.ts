import { useCallback, useLayoutEffect, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { useIsCurrentPage } from './page-history.tsx'

/** Choices of one control within so many ms are one step: an arrow that is pressed five times, chips of one filter. */
const ONE_STEP_MS = 1_000

let last = { control: '', after: '', at: -Infinity }

/**
 * Whether an address with a choice in it takes the place of the one before, or is a step that Back undoes: a control gives one
 * step a second, and only as long as nothing else has changed the address.
 *
 * now  ms, of a clock that only rises
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

/** What a change of the address is: typing and zooming take the place of what stood there, a choice is a step that Back undoes. */
export type AddressChange = 'choice' | 'typing'

/**
 * The parameters of the address, and what changes them. What changes nothing is no step.
 *
 * change  stays the same: what draws a list is not drawn again for it
 */
export function useAddressParams(): {
  params: URLSearchParams
  change: (edit: (all: URLSearchParams) => void, as?: AddressChange) => void
} {
  const [params, setParams] = useSearchParams()
  const isStillHere = useIsCurrentPage()
  // The router makes a new one for each address.
  const latest = useRef({ params, setParams, isStillHere })
  useLayoutEffect(() => {
    latest.current = { params, setParams, isStillHere }
  })
  const change = useCallback((edit: (all: URLSearchParams) => void, as: AddressChange = 'choice') => {
    const { params: before, setParams: set } = latest.current
    if (!latest.current.isStillHere()) return
    const after = new URLSearchParams(before)
    edit(after)
    if (after.toString() === before.toString()) return
    set(after, { replace: as === 'typing' || isSameStep(before, after) })
  }, [])
  return { params, change }
}

/** Puts a parameter, or takes it away when it is empty. */
export const putParam = (all: URLSearchParams, name: string, value: string | undefined): void =>
  value ? all.set(name, value) : all.delete(name)

/** Filters as they stand in the address; what is empty or undefined leaves it. `q` is what is searched for, which is typed. */
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
