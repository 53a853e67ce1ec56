import { App } from 'antd'
import { useEffect, useState } from 'react'
import { useT } from '../../providers/i18n.ts'

/** Keeps unsaved words: asks before a form is left, and the browser asks before the page is closed. */
export function useLeaveGuard(): { setDirty: (dirty: boolean) => void; ask: (leave: () => void) => void } {
  const t = useT()
  const { modal } = App.useApp()
  const [dirty, setDirty] = useState(false)
  useEffect(() => {
    if (!dirty) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [dirty])
  return {
    setDirty,
    ask: (leave) => {
      if (!dirty) return leave()
      void modal.confirm({
        title: t('screens:form.leave'),
        content: t('screens:form.leaveNote'),
        okText: t('screens:form.discard'),
        cancelText: t('screens:form.stay'),
        autoFocusButton: 'cancel',
        onOk: leave,
      })
    },
  }
}
