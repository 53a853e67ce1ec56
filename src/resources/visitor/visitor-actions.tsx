import { App, Button } from 'antd'
import { useState, type FC } from 'react'
import { accessControl } from '../../../contract/procedures/access-control.ts'
import { visitor as resource, type VisitorRow } from '../../../contract/resources/visitor.ts'
import { visitState } from '../../../contract/rules/access-pass.ts'
import { useAct } from '../../record-kit/paged-list/use-act.ts'
import { call } from '../../data/api.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { useMay } from '../../data/session.ts'
import { useConfirmRemoval } from '../../ui/page/confirm-removal.tsx'
import { useNow } from '../../ui/page/use-now.ts'
import { VisitorPass } from './visitor-pass.tsx'

/** What can be done with a visit now. `short` leaves what hurts to the visitor's own page. */
export const VisitorActions: FC<{ visitor: VisitorRow; short?: boolean; removed?: () => void }> = ({
  visitor,
  short,
  removed,
}) => {
  const t = useT()
  const { modal } = App.useApp()
  const { busy, act } = useAct()
  const confirmRemoval = useConfirmRemoval()
  const [showsPass, setShowsPass] = useState(false)
  const mayUpdate = useMay('access_control_visitor', 'Update')
  const mayDelete = useMay('access_control_visitor', 'Delete')
  const state = visitState(visitor, useNow())
  const { VisitorID, VisitorName: name } = visitor
  const inside = state === 'inside' || state === 'overdue'

  const checkIn = () =>
    act(
      async () => {
        await call(accessControl.checkInVisitor, { VisitorID })
      },
      () => t('access:visitor.checkedIn', { name }),
    )
  const checkOut = () =>
    act(
      async () => {
        await call(accessControl.checkOutVisitor, { VisitorID })
      },
      () => t('access:visitor.checkedOut', { name }),
    )
  const revoke = () =>
    void modal.confirm({
      title: t('access:visitor.revokeTitle', { name }),
      content: t('access:visitor.revokeNote'),
      okText: t('access:visitor.revoke'),
      okButtonProps: { danger: true },
      cancelText: t('screens:cancel'),
      autoFocusButton: 'cancel',
      onOk: async () => {
        await act(async () => {
          await call(accessControl.revokeVisitor, { VisitorID })
        })
      },
    })

  return (
    <>
      {mayUpdate && state === 'expected' && (
        <Button loading={busy} onClick={() => void checkIn()} {...(!short && { type: 'primary' })}>
          {t('access:visitor.checkIn')}
        </Button>
      )}
      {mayUpdate && inside && (
        <Button loading={busy} onClick={() => void checkOut()} {...(!short && { type: 'primary' })}>
          {t('access:visitor.checkOut')}
        </Button>
      )}
      {(state === 'expected' || state === 'inside') && visitor.RevokedAt === null && (
        <Button onClick={() => setShowsPass(true)}>{t('access:pass.show')}</Button>
      )}
      {!short && mayUpdate && visitor.RevokedAt === null && (state === 'expected' || inside) && (
        <Button danger onClick={revoke}>
          {t('access:visitor.revoke')}
        </Button>
      )}
      {!short && mayDelete && !inside && (
        <Button
          danger
          onClick={() =>
            confirmRemoval({
              name: name || t('access:anonymised'),
              consequence: t('access:visitor.consequence'),
              remove: async () => {
                await call(resource.operations.remove, { VisitorID })
                removed?.()
              },
            })
          }
        >
          {t('screens:remove.ok')}
        </Button>
      )}
      {showsPass && <VisitorPass visitor={visitor} close={() => setShowsPass(false)} />}
    </>
  )
}
