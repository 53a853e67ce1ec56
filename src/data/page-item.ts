import { useEffect, useLayoutEffect } from 'react'
import { createStore, useStore } from '../lib/store.ts'

const item = createStore<string | undefined>(undefined)

/** A page tells the title of the one thing it is about, for the breadcrumbs and the window: a device's or a person's name. */
export function usePageItem(title: string | undefined): void {
  useEffect(() => {
    item.set(title)
    return () => item.set(undefined)
  }, [title])
}

const notFound = createStore(false)

/** A page tells that there is nothing at this address: it has no place among the others. */
export function useNotFound(): void {
  // Before the picture: the breadcrumbs of the address must not be seen for a moment.
  useLayoutEffect(() => {
    notFound.set(true)
    return () => notFound.set(false)
  }, [])
}

export const useIsNotFound = (): boolean => useStore(notFound)

export const useShownItem = (): string | undefined => useStore(item)
