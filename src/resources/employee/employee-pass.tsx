import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import type { FC } from 'react'
import { accessControl } from '../../../contract/access-control/calls.ts'
import type { EmployeeRow } from '../../../contract/access-control/employee.ts'
import { PassDialog } from '../../domain/access/pass-dialog.tsx'
import { callQuery } from '../../data/api.ts'
import { useAction } from '../../data/use-action.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { useMay } from '../../data/session.ts'
import { confirm } from '../../ui/page/dialogs.ts'

/** An employee's pass to print; a new one ends the old. */
export const EmployeePass: FC<{ employee: EmployeeRow; close: () => void }> = ({ employee, close }) => {
  const t = useT()
  const { busy, run } = useAction(accessControl.renewEmployeePass)
  const mayRenew = useMay('access_control_employee', 'Update')
  const { EmployeeID, EmployeeName: name } = employee
  const query = useQuery(callQuery(accessControl.getEmployeePass, { EmployeeID }))
  const renew = () =>
    confirm({
      title: t('access:pass.renewTitle', { name }),
      content: t('access:pass.renewNote'),
      okText: t('access:pass.renew'),
      okButtonProps: { danger: true },
      cancelText: t('screens:cancel'),
      onOk: async () => {
        await run({ EmployeeID })
      },
    })
  return (
    <PassDialog
      title={t('access:pass.employee')}
      name={name}
      pass={query}
      close={close}
      action={
        mayRenew && (
          <Button danger loading={busy} onClick={renew}>
            {t('access:pass.renew')}
          </Button>
        )
      }
    >
      {employee.Department && <span>{employee.Department}</span>}
    </PassDialog>
  )
}
