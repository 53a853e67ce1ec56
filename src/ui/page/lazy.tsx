import {
  lazy,
  startTransition,
  useEffect,
  useState,
  type ComponentType,
  type LazyExoticComponent,
  type ReactNode,
} from 'react'
import { withTimeout } from '../../lib/with-timeout.ts'
import { currentLanguage, useT } from '../../lib/i18n/i18n.ts'
import { PlainButton } from '../plain/plain-button.tsx'
import page from './page.module.css'
import styles from './lazy.module.css'

interface Module<Props> {
  default: ComponentType<Props>
}
type Load<Props> = () => Promise<Module<Props>>

/** Code that is loaded once; after a failure, the next call loads it again. */
interface LazyModule<Props> {
  load: Load<Props>
  /** The module, if it has been loaded. */
  loaded: () => Module<Props> | undefined
  /** Loads the code before it is rendered. A failure is reported when it is. */
  preload: () => Promise<void>
}

function lazyModule<Props>(load: Load<Props>): LazyModule<Props> {
  let loaded: Module<Props> | undefined
  let loading: Promise<Module<Props>> | undefined
  const loadOnce: Load<Props> = () =>
    (loading ??= withTimeout(load).then(
      (module) => (loaded = module),
      (error: unknown) => {
        loading = undefined
        throw error
      },
    ))
  return {
    load: loadOnce,
    loaded: () => loaded,
    preload: () =>
      loadOnce().then(
        () => {},
        () => {},
      ),
  }
}

/** Loads a component together with Ant Design in the user's language, and wraps the component in it. */
export async function loadWithAntDesign<Props extends object>(load: Load<Props>): Promise<Module<Props>> {
  const [part, { withAntDesign }] = await Promise.all([
    load(),
    import('./ant-design.tsx'),
    import('../theme/locale.ts').then(({ loadLocale }) => loadLocale(currentLanguage())),
  ])
  return { default: withAntDesign(part.default) }
}

export type LazyScreen = LazyExoticComponent<ComponentType> & { preload: () => Promise<void> }

/**
 * A screen that is loaded when it is first rendered, inside `Suspense`. One that is already loaded renders at once: React shows the
 * content after a placeholder no earlier than 300 ms, a delay without benefit.
 */
export function lazyScreen(load: Load<object>): LazyScreen {
  const code = lazyModule(load)
  const resolvedModule = (module: Module<object>): PromiseLike<Module<object>> => ({
    // oxlint-disable-next-line unicorn/no-thenable -- React checks for a settled promise as soon as this has returned
    then: (resolve) => resolve?.(module) as never,
  })
  const Screen = lazy(() => {
    const module = code.loaded()
    return (module ? resolvedModule(module) : code.load()) as Promise<Module<object>>
  })
  return Object.assign(Screen, { preload: code.preload })
}

export interface LazyPart<Props> {
  (props: Props): ReactNode
  preload: () => Promise<void>
}

export interface PartOptions<Props> {
  /** The part overlays the page, so its error does too. */
  isOverlay?: boolean
  /** Placeholder while the part is loaded, of the same size to avoid layout shifts. */
  fallback?: ReactNode | ((props: Props) => ReactNode)
}

/**
 * Part of a screen that is loaded when it is first rendered. Unlike React's `lazy`, a part that could not be loaded, e.g. while the
 * gateway is unavailable, shows the error in its place and can be retried; the screen around it stays.
 */
export const lazyPart = <Props extends object>(
  load: Load<Props>,
  options?: PartOptions<Props>,
): LazyPart<Props> => plainPart(() => loadWithAntDesign(load), options)

/** Like `lazyPart`, for a part without Ant Design, which is not loaded for it. */
export function plainPart<Props extends object>(
  load: Load<Props>,
  { isOverlay = false, fallback = null }: PartOptions<Props> = {},
): LazyPart<Props> {
  const code = lazyModule(load)
  function Part(props: Props) {
    const [state, setState] = useState<'loading' | 'loaded' | 'failed'>(code.loaded() ? 'loaded' : 'loading')
    useEffect(() => {
      if (state !== 'loading') return
      let isMounted = true
      const load = () =>
        code.load().then(
          () => isMounted && startTransition(() => setState('loaded')),
          () => isMounted && setState('failed'),
        )
      // In a task of its own, so that the browser can paint the rest of the screen first: requesting the part's files takes time.
      const timer = setTimeout(load)
      return () => {
        isMounted = false
        clearTimeout(timer)
      }
    }, [state])
    const Loaded = code.loaded()?.default
    if (state === 'failed') return <Failed over={isOverlay} retry={() => setState('loading')} />
    if (Loaded && state === 'loaded') return <Loaded {...props} />
    return typeof fallback === 'function' ? fallback(props) : fallback
  }
  return Object.assign(Part, { preload: code.preload })
}

function Failed({ over: isOverlay, retry }: { over: boolean; retry: () => void }) {
  const t = useT()
  return (
    <div role="alert" className={`${page.wideRow} ${styles.failed} ${isOverlay ? styles.over : ''}`}>
      <span>{t('shell:partFailed')}</span>
      <PlainButton onClick={retry}>{t('shell:retry')}</PlainButton>
    </div>
  )
}
