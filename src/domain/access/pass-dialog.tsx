import type { UseQueryResult } from '@tanstack/react-query'
import { Button } from 'antd'
import type { FC, ReactNode } from 'react'
import { useT } from '../../lib/i18n/i18n.ts'
import { ListSkeleton, LoadFailed } from '../../ui/page/states.tsx'
import { PassCard } from './pass-card.tsx'
import { Modal } from '../../ui/page/dialog.tsx'

interface Props {
  title: string
  /** Name of the pass holder. */
  name: string
  pass: Pick<UseQueryResult<{ Token: string }>, 'data' | 'error' | 'refetch'>
  close: () => void
  /** Extra button between Close and Print. */
  action: ReactNode
  /** Validity, printed on the pass. */
  children?: ReactNode
}

/** Dialog that shows a pass to scan or print. */
export const PassDialog: FC<Props> = ({ title, name, pass, close, action, children }) => {
  const t = useT()
  return (
    <Modal
      open
      title={title}
      onCancel={close}
      footer={
        <>
          <Button onClick={close}>{t('screens:close')}</Button>
          {action}
          <Button type="primary" disabled={!pass.data} onClick={() => window.print()}>
            {t('access:print')}
          </Button>
        </>
      }
    >
      {pass.data ? (
        <PassCard
          value={pass.data.Token}
          label={t('access:pass.code', { name })}
          name={name}
          id={pass.data.Token}
        >
          {children}
        </PassCard>
      ) : pass.error ? (
        <LoadFailed error={pass.error} retry={() => void pass.refetch()} />
      ) : (
        <ListSkeleton rows={4} />
      )}
    </Modal>
  )
}
