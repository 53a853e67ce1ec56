import { QrcodeOutlined, StopOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useState, type FC } from 'react'
import { accessControl } from '../../../contract/access-control/calls.ts'
import type { VisitorRow } from '../../../contract/access-control/visitor.ts'
import { visitState } from '../../../contract/access-control/access-pass.ts'
import { useAction } from '../../data/use-action.ts'
import { useVisit } from '../../domain/access/check-visitor.tsx'
import { useT } from '../../lib/i18n/i18n.ts'
import { useMay } from '../../data/session.ts'
import { confirm } from '../../ui/page/dialogs.ts'
import { useNow } from '../../ui/page/use-now.ts'
import { RemoveButton } from '../../record-kit/removal.tsx'
import { useQuery } from '@tanstack/react-query'
import { useFormatWhen } from '../../ui/page/format-when.ts'
import { PassDialog } from '../../domain/access/pass-dialog.tsx'
import { callQuery } from '../../data/api.ts'
import { IconButton } from '../../ui/page/icon-button.tsx'

/** A visitor's pass: to scan from the screen, to print, to email. */
const VisitorPass: FC<{ visitor: VisitorRow; close: () => void }> = ({ visitor, close }) => {
  const t = useT()
  const { span } = useFormatWhen()
  const { busy, run } = useAction(accessControl.mailVisitorPass)
  const mayMail = useMay('access_control_visitor', 'Update')
  const { VisitorID, VisitorName: name, Email: email } = visitor
  const query = useQuery({
    ...callQuery(accessControl.getVisitorPass, { VisitorID }),
  })
  const mail = () => run({ VisitorID }, () => t('access:pass.mailed', { email }))
  return (
    <PassDialog
      title={t('access:pass.title')}
      name={name}
      pass={query}
      close={close}
      action={
        mayMail && (
          <Button loading={busy} onClick={() => void mail()}>
            {t('access:pass.mail')}
          </Button>
        )
      }
    >
      {visitor.Company && <span>{visitor.Company}</span>}
      <span>{span(visitor.ValidFrom, visitor.ValidUntil)}</span>
      {visitor.HostName && <span>{t('access:pass.host', { name: visitor.HostName })}</span>}
      <span>{t('access:pass.note')}</span>
    </PassDialog>
  )
}

/** Item of a menu that shows the pass of a visitor who may still come in. */
export const VisitorPassItem: FC<{ visitor: VisitorRow }> = ({ visitor }) => {
  const t = useT()
  const [showsPass, setShowsPass] = useState(false)
  const state = visitState(visitor, useNow())
  if ((state !== 'expected' && state !== 'inside') || visitor.RevokedAt !== null) return null
  return (
    <>
      <IconButton
        icon={<QrcodeOutlined />}
        label={t('access:pass.show')}
        onPress={() => setShowsPass(true)}
      />
      {showsPass && <VisitorPass visitor={visitor} close={() => setShowsPass(false)} />}
    </>
  )
}

/** Items of a menu that revoke or delete a visit. */
export const EndVisit: FC<{ visitor: VisitorRow; removed: () => void }> = ({ visitor, removed }) => {
  const t = useT()
  const mayUpdate = useMay('access_control_visitor', 'Update')
  const state = visitState(visitor, useNow())
  const { VisitorName: name } = visitor
  const act = useVisit(visitor)
  const inside = state === 'inside' || state === 'overdue'
  const revoke = () =>
    confirm({
      title: t('access:visitor.revokeTitle', { name }),
      content: t('access:visitor.revokeNote'),
      okText: t('access:visitor.revoke'),
      okButtonProps: { danger: true },
      cancelText: t('screens:cancel'),
      onOk: async () => {
        await act.run(accessControl.revokeVisitor)
      },
    })

  return (
    <>
      {mayUpdate && visitor.RevokedAt === null && (state === 'expected' || inside) && (
        <IconButton danger icon={<StopOutlined />} label={t('access:visitor.revoke')} onPress={revoke} />
      )}
      {!inside && (
        <RemoveButton
          resource="visitor"
          row={visitor}
          name={name || t('access:anonymised')}
          remove={{ consequence: () => t('access:visitor.consequence') }}
          onDone={removed}
        />
      )}
    </>
  )
}
