import { useEffect, useLayoutEffect } from 'react'
import { createStore, useStore } from '../lib/store.ts'

const item = createStore<string | undefined>(undefined)

/** Sets the title of the record that a page shows, e.g. a device's name, for the breadcrumbs and the window title. */
export function usePageItem(title: string | undefined): void {
  useEffect(() => {
    item.set(title)
    return () => item.set(undefined)
  }, [title])
}

const notFound = createStore(false)

/** Marks the current address as not found, so that breadcrumbs do not place it among the pages. */
export function useNotFound(): void {
  // Before the paint, so that the breadcrumbs of the address do not flash.
  useLayoutEffect(() => {
    notFound.set(true)
    return () => notFound.set(false)
  }, [])
}

export const useIsNotFound = (): boolean => useStore(notFound)

export const useShownItem = (): string | undefined => useStore(item)
