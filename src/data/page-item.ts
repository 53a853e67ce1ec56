import { useEffect } from 'react'
import { createStore, useStore } from '../lib/store.ts'

const item = createStore<string | undefined>(undefined)

/** A page tells the title of the one thing it is about, for the breadcrumbs and the window: a device's or a person's name. */
export function usePageItem(title: string | undefined): void {
  useEffect(() => {
    item.set(title)
    return () => item.set(undefined)
  }, [title])
}

export const useShownItem = (): string | undefined => useStore(item)
