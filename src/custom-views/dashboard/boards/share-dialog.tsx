import { useQuery } from '@tanstack/react-query'
import { Alert, Checkbox, Form, Radio, Select } from 'antd'
import { useState } from 'react'
import { department } from '../../../../contract/people/department.ts'
import {
  dashboard,
  dashboardCalls,
  MAX_SHARED_DEPARTMENTS,
  type Dashboard,
  type Shared,
  isShared,
} from '../../../../contract/dashboards/dashboard.ts'
import { callQuery } from '../../../data/api.ts'
import { describeFailure, describeRefusal, describeRight } from '../../../data/failure.ts'
import { useMay } from '../../../data/session.ts'
import { useAction } from '../../../data/use-action.ts'
import { t as translate, useT } from '../../../lib/i18n/i18n.ts'
import page from '../../../ui/page/page.module.css'
import { titleOf } from './card-view.tsx'
import { Modal } from '../../../ui/page/dialog.tsx'
import { holdsLabel } from '../../../lib/match-words.ts'

type With = 'nobody' | 'departments' | 'everyone'

/** Shares a dashboard; before saving, shows which recipients lack the rights for some cards. */
export default function ShareDialog({ board, close }: { board: Dashboard; close: () => void }) {
  const t = useT()
  const mayShare = useMay('dashboard', 'Update')
  const mayList = useMay('user', 'Read')
  const { DashboardID, Version } = board
  const [kind, setKind] = useState<With>(
    board.Shared.Everyone ? 'everyone' : isShared(board.Shared) ? 'departments' : 'nobody',
  )
  const [departmentIds, setDepartmentIds] = useState(board.Shared.DepartmentIDs)
  const [mayEdit, setMayEdit] = useState(board.Shared.May === 'edit')
  const departments = useQuery({ ...callQuery(department.operations.list, {}), enabled: mayList })
  const save = useAction(dashboard.operations.update, { feedback: 'both' })
  const shared: Shared = {
    Everyone: kind === 'everyone',
    DepartmentIDs: kind === 'departments' ? departmentIds : [],
    May: mayEdit ? 'edit' : 'view',
  }
  const isWhole = kind !== 'departments' || departmentIds.length > 0
  const submit = async () => {
    const isDone = await save.run({ DashboardID, Shared: shared, Version }, () =>
      translate(isShared(shared) ? 'boards:share.done' : 'boards:share.ended'),
    )
    if (isDone) close()
  }
  return (
    <Modal
      open
      title={t('boards:share.title', { name: board.Name })}
      okText={t('boards:save')}
      cancelText={t('screens:cancel')}
      okButtonProps={{ disabled: !isWhole }}
      confirmLoading={save.busy}
      onOk={() => void submit()}
      onCancel={close}
    >
      <Form layout="vertical" className={page.stack}>
        {!mayShare && (
          <Alert
            showIcon
            type="info"
            message={describeRight({ feature: 'dashboard', operation: 'Update' })}
          />
        )}
        <Radio.Group
          {...{ role: 'radiogroup' }}
          aria-label={t('boards:share.with')}
          className={page.tightStack ?? ''}
          value={kind}
          onChange={({ target }) => setKind(target.value as With)}
          options={[
            { value: 'nobody', label: t('boards:share.nobody') },
            { value: 'departments', label: t('boards:share.departments'), disabled: !mayShare },
            { value: 'everyone', label: t('boards:share.everyone'), disabled: !mayShare },
          ]}
        />
        {kind === 'departments' &&
          (mayList ? (
            <Select
              mode="multiple"
              aria-label={t('boards:share.departments')}
              placeholder={t('boards:share.choose')}
              value={departmentIds}
              maxCount={MAX_SHARED_DEPARTMENTS}
              loading={departments.isPending}
              filterOption={holdsLabel}
              onChange={setDepartmentIds}
              options={departments.data?.map(({ DepartmentID, Department }) => ({
                value: DepartmentID,
                label: Department,
              }))}
            />
          ) : (
            <p className={page.hint}>{describeRight({ feature: 'user', operation: 'Read' })}</p>
          ))}
        {kind !== 'nobody' && (
          <Checkbox checked={mayEdit} onChange={({ target }) => setMayEdit(target.checked)}>
            {t('boards:share.mayEdit')}
          </Checkbox>
        )}
        {mayShare && isWhole && kind !== 'nobody' && <WhoMisses board={board} wanted={shared} />}
        {(save.failure !== undefined || save.refused['Version']) && (
          <Alert
            showIcon
            type="error"
            role="alert"
            message={save.refused['Version'] ? t('boards:share.changed') : describeRefusal(save.failure)}
          />
        )}
      </Form>
    </Modal>
  )
}

/** Number of people who would see the dashboard, and the cards that some of them could not see. */
function WhoMisses({ board, wanted: shared }: { board: Dashboard; wanted: Shared }) {
  const t = useT()
  const query = useQuery(
    callQuery(dashboardCalls.checkSharing, { DashboardID: board.DashboardID, Shared: shared }),
  )
  const comma = t('screens:listComma')
  if (query.error && !query.data)
    return (
      <p className={page.warning}>{t('boards:share.unchecked', { reason: describeFailure(query.error) })}</p>
    )
  if (!query.data) return <p className={page.hint}>{t('boards:share.checking')}</p>
  const { People, Missing } = query.data
  const cards = (ids: readonly string[]) =>
    board.Cards.filter(({ CardID }) => ids.includes(CardID))
      .map(titleOf)
      .join(comma)
  return (
    <section aria-live="polite" className={page.column}>
      <p className={page.note}>{t('boards:share.people', { count: People })}</p>
      {People > 0 && Missing.length === 0 && <p className={page.note}>{t('boards:share.allSee')}</p>}
      {Missing.map(({ feature, operation, CardIDs, Count, Names }) => (
        <p key={`${feature} ${operation}`} className={page.warning}>
          {t(feature === 'dashboard' ? 'boards:share.noPage' : 'boards:share.misses', {
            count: Count,
            right: describeRight({ feature, operation }),
            cards: cards(CardIDs),
          })}
          {Names.length > 0 && (
            <>
              <br />
              <span className={page.small}>
                {Names.join(comma)}
                {Names.length < Count && ` ${t('boards:share.more', { count: Count - Names.length })}`}
              </span>
            </>
          )}
        </p>
      ))}
      <p className={page.hint}>{t('boards:share.noRight')}</p>
    </section>
  )
}
