import { useQuery } from '@tanstack/react-query'
import { Button, Modal } from 'antd'
import type { FC } from 'react'
import { accessControl } from '../../../contract/procedures/access-control.ts'
import type { VisitorRow } from '../../../contract/resources/visitor.ts'
import { useFormatWhen } from '../../ui/paged-list/format-when.ts'
import { PassCard } from '../../custom-views/access-control/pass-card.tsx'
import { useAct } from '../../ui/paged-list/use-act.ts'
import { call, callQuery } from '../../providers/api.ts'
import { useT } from '../../providers/i18n.ts'
import { useMay } from '../../providers/session.ts'
import { ListSkeleton, LoadFailed } from '../../ui/crud/states.tsx'

/** A visitor's pass: to scan from the screen, to print, to mail. */
export const VisitorPass: FC<{ visitor: VisitorRow; close: () => void }> = ({ visitor, close }) => {
  const t = useT()
  const { span } = useFormatWhen()
  const { busy, act } = useAct()
  const mayMail = useMay('access_control_visitor', 'Update')
  const { VisitorID, VisitorName: name, Email: email } = visitor
  const query = useQuery({
    ...callQuery(accessControl.getVisitorPass, { VisitorID }),
    refetchOnMount: 'always',
  })
  return (
    <Modal
      open
      title={t('access:pass.title')}
      onCancel={close}
      footer={[
        <Button key="close" onClick={close}>
          {t('screens:close')}
        </Button>,
        mayMail && (
          <Button
            key="mail"
            loading={busy}
            onClick={() =>
              void act(
                () => call(accessControl.mailVisitorPass, { VisitorID }),
                () => t('access:pass.mailed', { email }),
              )
            }
          >
            {t('access:pass.mail')}
          </Button>
        ),
        <Button key="print" type="primary" disabled={!query.data} onClick={() => window.print()}>
          {t('access:print')}
        </Button>,
      ]}
    >
      {query.data ? (
        <PassCard
          value={query.data.Token}
          label={t('access:pass.code', { name })}
          name={name}
          id={query.data.Token}
        >
          {visitor.Company && <span>{visitor.Company}</span>}
          <span>{span(visitor.ValidFrom, visitor.ValidUntil)}</span>
          {visitor.HostName && <span>{t('access:pass.host', { name: visitor.HostName })}</span>}
          <span>{t('access:pass.note')}</span>
        </PassCard>
      ) : query.error ? (
        <LoadFailed error={query.error} retry={() => void query.refetch()} />
      ) : (
        <ListSkeleton rows={4} />
      )}
    </Modal>
  )
}
