import { lazy, type ComponentType, type LazyExoticComponent } from 'react'

type Module = { default: ComponentType }
export type LazyScreen = LazyExoticComponent<ComponentType>

const fetches = new WeakMap<object, () => Promise<unknown>>()

/**
 * A screen that is fetched when it is first drawn. One that has been fetched before is drawn at once: React shows what follows a
 * placeholder 300 ms after it at the earliest, which everybody would wait for nothing.
 */
export function lazyScreen(load: () => Promise<Module>): LazyScreen {
  let loaded: Module | undefined
  let loading: Promise<Module> | undefined
  // One that fails is fetched again by whoever asks next.
  const fetch = (): Promise<Module> =>
    (loading ??= load().then(
      (module) => (loaded = module),
      (error: unknown) => {
        loading = undefined
        throw error
      },
    ))
  const atOnce = (module: Module): PromiseLike<Module> => ({
    // oxlint-disable-next-line unicorn/no-thenable -- React asks whether it is there as soon as this has returned
    then: (resolve) => resolve?.(module) as never,
  })
  const Screen = lazy(() => (loaded ? atOnce(loaded) : fetch()) as Promise<Module>)
  fetches.set(Screen, fetch)
  return Screen
}

/** Fetches a screen before it is drawn; what fails is told when it is. */
export const preloadLazyScreen = async (screen: object | undefined): Promise<void> => {
  await (screen && fetches.get(screen)?.())?.catch(() => {})
}
