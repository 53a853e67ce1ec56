import { App } from 'antd'
import { useEffect } from 'react'
import { useBlocker } from 'react-router'
import { useT } from '../providers/i18n.ts'

/**
 * Guards edits that are not saved, on click, Back and closing the page alike.
 *
 * dirty  whether there are any
 * still  the same at the moment of leaving: a page that saves and leaves at once has not been drawn again since
 */
export function useUnsavedGuard(dirty: boolean, still: () => boolean = () => dirty): void {
  const t = useT()
  const { modal } = App.useApp()
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => still() && currentLocation.pathname !== nextLocation.pathname,
  )
  useEffect(() => {
    if (!dirty) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [dirty])
  useEffect(() => {
    if (blocker.state !== 'blocked') return
    const dialog = modal.confirm({
      title: t('shell:unsaved.title'),
      content: t('shell:unsaved.text'),
      okText: t('shell:unsaved.leave'),
      okButtonProps: { danger: true },
      cancelText: t('shell:unsaved.stay'),
      autoFocusButton: 'cancel',
      onOk: () => blocker.proceed(),
      onCancel: () => blocker.reset(),
    })
    return () => dialog.destroy()
  }, [blocker, modal, t])
}
