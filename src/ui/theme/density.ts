import { createStore, useStore } from '../../lib/store.ts'

/** Row heights of lists. */
export const DENSITIES = ['normal', 'compact'] as const
export type Density = (typeof DENSITIES)[number]

/** In px. */
export const LINE_HEIGHT: Readonly<Record<Density, number>> = { normal: 44, compact: 36 }

const KEY = 'density'
const stored = (): Density => DENSITIES.find((known) => known === localStorage.getItem(KEY)) ?? 'normal'
const density = createStore<Density>(stored())

/** Stores the density in this browser. */
export function chooseDensity(next: Density): void {
  localStorage.setItem(KEY, next)
  density.set(next)
}

export const useDensity = (): Density => useStore(density)
