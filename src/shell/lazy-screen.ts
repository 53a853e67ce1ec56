import { lazy, type ComponentType, type LazyExoticComponent } from 'react'

type Module = { default: ComponentType }
export type LazyScreen = LazyExoticComponent<ComponentType>

const fetches = new WeakMap<object, () => Promise<unknown>>()

/**
 * A screen that is fetched when it is first rendered. One that is already fetched renders at once: React shows the content after a
 * placeholder no earlier than 300 ms, a delay without benefit.
 */
export function lazyScreen(load: () => Promise<Module>): LazyScreen {
  let loaded: Module | undefined
  let loading: Promise<Module> | undefined
  // After a failure, the next call fetches again.
  const fetch = (): Promise<Module> =>
    (loading ??= load().then(
      (module) => (loaded = module),
      (error: unknown) => {
        loading = undefined
        throw error
      },
    ))
  const atOnce = (module: Module): PromiseLike<Module> => ({
    // oxlint-disable-next-line unicorn/no-thenable -- React checks for a settled promise as soon as this has returned
    then: (resolve) => resolve?.(module) as never,
  })
  const Screen = lazy(() => (loaded ? atOnce(loaded) : fetch()) as Promise<Module>)
  fetches.set(Screen, fetch)
  return Screen
}

/** Fetches a screen before it is rendered; an error is reported when it is. */
export const preloadLazyScreen = async (screen: object | undefined): Promise<void> => {
  await (screen && fetches.get(screen)?.())?.catch(() => {})
}
