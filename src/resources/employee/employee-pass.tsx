import { useQuery } from '@tanstack/react-query'
import { App, Button, Modal } from 'antd'
import type { FC } from 'react'
import { accessControl } from '../../../contract/procedures/access-control.ts'
import type { EmployeeRow } from '../../../contract/resources/employee.ts'
import { PassCard } from '../../custom-views/access-control/pass-card.tsx'
import { useAct } from '../../ui/paged-list/use-act.ts'
import { call, callKey, callQuery, queryClient } from '../../providers/api.ts'
import { useT } from '../../providers/i18n.ts'
import { useMay } from '../../providers/session.ts'
import { ListSkeleton, LoadFailed } from '../../ui/crud/states.tsx'

/** An employee's pass to print; a new one ends the old. */
export const EmployeePass: FC<{ employee: EmployeeRow; close: () => void }> = ({ employee, close }) => {
  const t = useT()
  const { modal } = App.useApp()
  const { busy, act } = useAct()
  const mayRenew = useMay('access_control_employee', 'Update')
  const { EmployeeID, EmployeeName: name } = employee
  const query = useQuery({
    ...callQuery(accessControl.getEmployeePass, { EmployeeID }),
    refetchOnMount: 'always',
  })
  const renew = () =>
    void modal.confirm({
      title: t('access:pass.renewTitle', { name }),
      content: t('access:pass.renewNote'),
      okText: t('access:pass.renew'),
      okButtonProps: { danger: true },
      cancelText: t('screens:cancel'),
      autoFocusButton: 'cancel',
      onOk: async () => {
        await act(async () => {
          const pass = await call(accessControl.renewEmployeePass, { EmployeeID })
          queryClient.setQueryData(callKey(accessControl.getEmployeePass, { EmployeeID }), pass)
        })
      },
    })
  return (
    <Modal
      open
      title={t('access:pass.employee')}
      onCancel={close}
      footer={[
        <Button key="close" onClick={close}>
          {t('screens:close')}
        </Button>,
        mayRenew && (
          <Button key="renew" danger loading={busy} onClick={renew}>
            {t('access:pass.renew')}
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
          {employee.Department && <span>{employee.Department}</span>}
        </PassCard>
      ) : query.error ? (
        <LoadFailed error={query.error} retry={() => void query.refetch()} />
      ) : (
        <ListSkeleton rows={4} />
      )}
    </Modal>
  )
}
