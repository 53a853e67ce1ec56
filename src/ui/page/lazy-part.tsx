import { startTransition, useEffect, useState, type ComponentType, type ReactNode } from 'react'
import { withTimeout } from '../../lib/with-timeout.ts'
import { nextTask } from '../../lib/next-task.ts'
import { currentLanguage, useT } from '../../lib/i18n/i18n.ts'
import { PlainButton } from '../plain/plain-button.tsx'
import page from './page.module.css'
import styles from './lazy-part.module.css'

export interface LazyPart<Props> {
  (props: Props): ReactNode
  /** Prefetches the part; an error is reported when the part is rendered. */
  ahead: () => void
}

export interface PartOptions<Props> {
  /** The part overlays the page, so its error does too. */
  over?: boolean
  /** Placeholder while the part is fetched, of the same size to avoid layout shifts. */
  meanwhile?: ReactNode | ((props: Props) => ReactNode)
}

type Load<Props> = () => Promise<{ default: ComponentType<Props> }>

/** Fetches a part together with Ant Design in the user's language, and wraps the part in it. */
export async function fetchWithAntDesign<Props extends object>(
  load: Load<Props>,
): Promise<{ default: ComponentType<Props> }> {
  const [part, { withAntDesign }] = await Promise.all([
    load(),
    import('./ant-design.tsx'),
    import('../theme/locale.ts').then(({ loadLocale }) => loadLocale(currentLanguage())),
  ])
  return { default: withAntDesign(part.default) }
}

/**
 * Part of a screen that is fetched when it is first rendered. Unlike React's `lazy`, a part that could not be fetched, e.g. while the
 * gateway is unavailable, shows the error in its place and can be retried; the screen around it stays.
 */
export const lazyPart = <Props extends object>(
  load: Load<Props>,
  options?: PartOptions<Props>,
): LazyPart<Props> => plainPart(() => fetchWithAntDesign(load), options)

/** Like `lazyPart`, for a part without Ant Design, which need not be fetched for it. */
export function plainPart<Props extends object>(
  load: Load<Props>,
  { over = false, meanwhile = null }: PartOptions<Props> = {},
): LazyPart<Props> {
  let Loaded: ComponentType<Props> | undefined
  let loading: Promise<void> | undefined
  const fetchPart = () =>
    // In a task of its own: starting dozens of requests at once would block the main thread.
    (loading ??= withTimeout(() => nextTask().then(load))
      .then((module) => {
        Loaded = module.default
      })
      .finally(() => {
        loading = undefined
      }))

  function Part(props: Props) {
    const [state, setState] = useState<'loading' | 'loaded' | 'failed'>(Loaded ? 'loaded' : 'loading')
    useEffect(() => {
      if (state !== 'loading') return
      let wanted = true
      fetchPart().then(
        () => wanted && startTransition(() => setState('loaded')),
        () => wanted && setState('failed'),
      )
      return () => {
        wanted = false
      }
    }, [state])
    if (state === 'failed') return <Failed over={over} retry={() => setState('loading')} />
    return Loaded && state === 'loaded' ? (
      <Loaded {...props} />
    ) : typeof meanwhile === 'function' ? (
      meanwhile(props)
    ) : (
      meanwhile
    )
  }
  return Object.assign(Part, { ahead: () => void fetchPart().catch(() => {}) })
}

function Failed({ over, retry }: { over: boolean; retry: () => void }) {
  const t = useT()
  return (
    <div role="alert" className={`${page.wideRow} ${styles.failed} ${over ? styles.over : ''}`}>
      <span>{t('shell:partFailed')}</span>
      <PlainButton onClick={retry}>{t('shell:retry')}</PlainButton>
    </div>
  )
}
