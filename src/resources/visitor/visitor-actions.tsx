import { Button } from 'antd'
import { useState, type FC } from 'react'
import { accessControl } from '../../../contract/access-control/calls.ts'
import type { VisitorRow } from '../../../contract/access-control/visitor.ts'
import { visitState } from '../../../contract/access-control/access-pass.ts'
import { useAction } from '../../data/use-action.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { useMay } from '../../data/session.ts'
import { confirm } from '../../ui/page/dialogs.ts'
import { useNow } from '../../ui/page/use-now.ts'
import { RemoveButton } from '../../record-kit/removal.tsx'
import { useQuery } from '@tanstack/react-query'
import { useFormatWhen } from '../../ui/page/format-when.ts'
import { PassDialog } from '../../domain/access/pass-dialog.tsx'
import { callQuery } from '../../data/api.ts'

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

type VisitCall = (typeof accessControl)['checkInVisitor' | 'checkOutVisitor' | 'revokeVisitor']

/** Actions on a visit in its current state. `isCompact` leaves destructive actions to the visitor's own page. */
export const VisitorActions: FC<{ visitor: VisitorRow; isCompact?: boolean; removed?: () => void }> = ({
  visitor,
  isCompact,
  removed,
}) => {
  const t = useT()
  const [showsPass, setShowsPass] = useState(false)
  const mayUpdate = useMay('access_control_visitor', 'Update')
  const state = visitState(visitor, useNow())
  const { VisitorID, VisitorName: name } = visitor
  const act = useAction((endpoint: VisitCall, send) => send(endpoint, { VisitorID }))
  const { busy } = act
  const inside = state === 'inside' || state === 'overdue'

  const checkIn = () => act.run(accessControl.checkInVisitor, () => t('access:visitor.checkedIn', { name }))
  const checkOut = () =>
    act.run(accessControl.checkOutVisitor, () => t('access:visitor.checkedOut', { name }))
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
      {mayUpdate && state === 'expected' && (
        <Button loading={busy} onClick={() => void checkIn()} {...(!isCompact && { type: 'primary' })}>
          {t('access:visitor.checkIn')}
        </Button>
      )}
      {mayUpdate && inside && (
        <Button loading={busy} onClick={() => void checkOut()} {...(!isCompact && { type: 'primary' })}>
          {t('access:visitor.checkOut')}
        </Button>
      )}
      {(state === 'expected' || state === 'inside') && visitor.RevokedAt === null && (
        <Button onClick={() => setShowsPass(true)}>{t('access:pass.show')}</Button>
      )}
      {!isCompact && mayUpdate && visitor.RevokedAt === null && (state === 'expected' || inside) && (
        <Button danger onClick={revoke}>
          {t('access:visitor.revoke')}
        </Button>
      )}
      {!isCompact && !inside && (
        <RemoveButton
          resource="visitor"
          row={visitor}
          name={name || t('access:anonymised')}
          remove={{ consequence: () => t('access:visitor.consequence') }}
          onDone={() => removed?.()}
        />
      )}
      {showsPass && <VisitorPass visitor={visitor} close={() => setShowsPass(false)} />}
    </>
  )
}
