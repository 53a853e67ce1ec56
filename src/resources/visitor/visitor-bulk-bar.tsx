import { LogoutOutlined, StopOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import type { FC } from 'react'
import { accessControl } from '../../../contract/access-control/calls.ts'
import type { VisitorRow } from '../../../contract/access-control/visitor.ts'
import { visitState } from '../../../contract/access-control/access-pass.ts'
import { call } from '../../data/api.ts'
import { t, useT } from '../../lib/i18n/i18n.ts'
import { SelectionBar } from '../../record-kit/bulk/selection-bar.tsx'
import { ItemFailed, type BulkAction, type BulkItem, callEach } from '../../record-kit/bulk/bulk-run.ts'
import { confirmBulkAction } from '../../record-kit/bulk/ask-first.tsx'
import { gatewayNow } from '../../lib/gateway-clock.ts'

interface Visit extends BulkItem {
  row: VisitorRow
}

/** Bulk actions on the selected visits: check out visitors who are inside, revoke passes of visits that have not ended. */
const VisitorBulkBar: FC<{ rows: readonly VisitorRow[]; clear: () => void }> = ({ rows, clear }) => {
  const t = useT()
  const items = rows.map((row): Visit => ({
    id: row.VisitorID,
    name: row.VisitorName || t('access:anonymised'),
    row,
  }))
  const count = items.length
  return (
    <SelectionBar words={t('lists:bulk.items', { count })} items={items} clear={clear}>
      {(run) => (
        <>
          <Button icon={<LogoutOutlined />} onClick={() => run(checkingOut)}>
            {t('access:visitor.checkOut')}
          </Button>
          <Button
            danger
            icon={<StopOutlined />}
            onClick={() =>
              confirmBulkAction({
                title: t('access:bulk.askRevoke', { count }),
                reason: t('access:visitor.revokeNote'),
                items,
                ok: t('access:visitor.revoke'),
                run: () => run(revoking),
              })
            }
          >
            {t('access:visitor.revoke')}
          </Button>
        </>
      )}
    </SelectionBar>
  )
}
export default VisitorBulkBar

const isInside = (row: VisitorRow) => ['inside', 'overdue'].includes(visitState(row, gatewayNow()))

const checkingOut: BulkAction<Visit> = {
  title: () => t('access:bulk.checkingOut'),
  start: (items) =>
    callEach(items, async ({ id, row }) => {
      if (!isInside(row)) throw new ItemFailed(() => t('access:bulk.notInside'))
      await call(accessControl.checkOutVisitor, { VisitorID: id })
    }),
}

const revoking: BulkAction<Visit> = {
  title: () => t('access:bulk.revoking'),
  start: (items) =>
    callEach(items, async ({ id, row }) => {
      const isOpen = visitState(row, gatewayNow()) === 'expected' || isInside(row)
      if (row.RevokedAt !== null || !isOpen) throw new ItemFailed(() => t('access:bulk.over'))
      await call(accessControl.revokeVisitor, { VisitorID: id })
    }),
}
