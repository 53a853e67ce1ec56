import { CalendarOutlined } from '@ant-design/icons'
import { Button, Select, Alert, Switch } from 'antd'
import { useNavigate } from 'react-router'
import { useState } from 'react'
import { VISITOR_SORTS, type VisitorRow, visitor } from '../../../contract/access-control/visitor.ts'
import { t, useT, t as words } from '../../lib/i18n/i18n.ts'
import { pathTo } from '../../navigation/paths.ts'
import { defineRecord } from '../../record-kit/define-record.tsx'
import { lazyPart } from '../../ui/page/lazy.tsx'
import { CheckVisitor } from '../../domain/access/check-visitor.tsx'
import { useVisitorColumns } from '../../domain/access/visitor-columns.tsx'
import { VisitorPassItem } from './visitor-actions.tsx'
import { VisitorEdit } from './visitor-edit.tsx'
import { today, daySpanOf } from '../../ui/inputs/days.ts'
import { useAddress } from '../../ui/page/use-address.ts'
import { useZone } from '../../ui/page/format-when.ts'
import {
  VISIT_STATES,
  type VisitState,
  formatPhone,
  visitState,
} from '../../../contract/access-control/access-pass.ts'
import type { FilterOf } from '../../record-kit/resource-types.ts'
import type { ListFilter, Parameter } from '../../record-kit/screen.ts'
import { barDays } from '../../ui/filter-bar/bar-days.tsx'
import styles from '../../ui/page/page.module.css'
import type { ListColumn } from '../../record-kit/export/columns.ts'
import { accessControl } from '../../../contract/access-control/calls.ts'
import { call, type ResultsOf } from '../../data/api.ts'
import { FormCard, RecordPage } from '../../record-kit/record-page.tsx'
import { useRecordForm } from '../../record-kit/use-record-form.ts'
import { useFormZone, useVisitorFields } from './use-visitor-fields.tsx'
import { FIELD_NAMES, newVisit, toVisitor } from './visitor-values.ts'
import { gatewayNow } from '../../lib/gateway-clock.ts'

const statesIn = (get: Parameter) => VISIT_STATES.filter((state) => get('state').split(',').includes(state))

/** Filters of the list of visits: by state and by date. */
function useVisitorFilters(): readonly ListFilter<FilterOf<'visitor'>>[] {
  const t = useT()
  const zone = useZone()
  const wordOf = (state: VisitState) => t(`access:states.${state}`)
  return [
    {
      params: ['state'],
      read: (get) => ({ States: statesIn(get) }),
      bar: (get, change) => ({
        key: 'state',
        label: t('access:fields.State'),
        chosenLabel: statesIn(get).map(wordOf).join(t('screens:listComma')) || undefined,
        clear: () => change({ state: undefined }),
        input: (
          <Select<VisitState[]>
            mode="multiple"
            allowClear
            maxTagCount="responsive"
            className={styles.choice ?? ''}
            value={statesIn(get)}
            placeholder={t('access:anyState')}
            aria-label={t('access:fields.State')}
            onChange={(next) => change({ state: next.join(',') })}
            options={VISIT_STATES.map((value) => ({ value, label: wordOf(value) }))}
          />
        ),
      }),
    },
    {
      params: ['from', 'to'],
      read: (get) => daySpanOf(get('from'), get('to'), zone),
      bar: (get, change) => barDays({ label: t('access:period'), from: get('from'), to: get('to'), change }),
    },
  ]
}

/** Visits: expected, checked in, overdue or past. */
export default defineRecord({
  resource: 'visitor',
  words: () => ({
    list: t('shell:pages.VisitorManagement'),
    create: t('shell:pages.VisitorRegister'),
    empty: t('access:visitor.empty'),
  }),
  columns: useVisitorColumns,
  drawing: 'visitor',
  filters: useVisitorFilters,
  search: () => t('access:visitor.search'),
  sort: { Sort: VISITOR_SORTS[0], Descending: true },
  to: { list: () => pathTo('VisitorManagement'), create: () => pathTo('VisitorRegister') },
  open: ({ VisitorID }) => pathTo('VisitorEdit', { visitorID: VisitorID }),
  remove: { notInRows: true },
  Actions: ({ row }) => <CheckVisitor visitor={row} />,
  Menu: ({ row }) => <VisitorPassItem visitor={row} />,
  bulk: {
    requiredRights: [{ feature: 'access_control_visitor', operation: 'Update' }],
    Bar: lazyPart(() => import('./visitor-bulk-bar.tsx')),
  },
  Tools: ExpectedToday,
  views: 'visitor',
  exports: {
    requiredRight: { feature: 'access_control_visitor', operation: 'Export' },
    columns: useVisitorExport,
  },
  pages: { Create: VisitorRegister, Edit: VisitorEdit },
})

/** Button that filters the list by visits expected today, sorted by start. */
function ExpectedToday() {
  const t = useT()
  const zone = useZone()
  const { change } = useAddress()
  return (
    <Button
      icon={<CalendarOutlined />}
      onClick={() => change({ state: 'expected', from: today(zone), to: today(zone), sort: 'ValidFrom' })}
    >
      {t('access:expectedToday')}
    </Button>
  )
}

function useVisitorExport(): readonly ListColumn<VisitorRow>[] {
  const t = useT()
  return [
    { title: t('access:fields.VisitorName'), of: (row) => row.VisitorName || t('access:anonymised') },
    { title: t('access:fields.Company'), of: (row) => row.Company },
    { title: t('access:fields.State'), of: (row) => t(`access:states.${visitState(row, gatewayNow())}`) },
    { title: t('access:fields.ValidFrom'), at: (row) => row.ValidFrom },
    { title: t('access:fields.ValidUntil'), at: (row) => row.ValidUntil },
    { title: t('access:fields.HostEmployeeID'), of: (row) => row.HostName },
    { title: t('access:fields.Phone'), of: (row) => formatPhone(row.Phone) },
    { title: t('access:fields.Email'), of: (row) => row.Email },
    { title: t('access:fields.Purpose'), of: (row) => row.Purpose },
  ]
}

type Former = NonNullable<ResultsOf<typeof accessControl.findFormerVisitor>>

/** Page that registers a visit; a former visitor's data can be filled in from their last visit. */
function VisitorRegister() {
  const t = useT()
  const zone = useFormZone()
  const navigate = useNavigate()
  const [former, setFormer] = useState<Former>()
  const [host, setHost] = useState<{ id: string; name: string }>()
  const [initial] = useState(() => ({ ...newVisit(zone), MailPass: true }))
  const edited = useRecordForm('visitor', undefined, {
    toInput: (values) => ({ ...toVisitor(values, zone), MailPass: values['MailPass'] === true }),
    successText: (row) => words('access:visitor.registered', { name: row['VisitorName'] as string }),
  })
  const { form } = edited
  const mail = {
    name: 'MailPass',
    label: t('access:visitor.mailPass'),
    input: <Switch />,
    valuePropName: 'checked',
    isWide: true,
  }

  async function findFormer(field: 'Email' | 'Phone') {
    const value = String(form.getFieldValue(field) ?? '')
    if (!visitor.operations.create.input.shape[field].safeParse(value).success) return
    // The search does not change the form; a failure counts as no match.
    const formerVisitor = await call(accessControl.findFormerVisitor, { [field]: value }).catch(() => null)
    setFormer(formerVisitor ?? undefined)
  }
  const fields = useVisitorFields({ host, onContact: (field) => void findFormer(field) })

  function fillIn({ HostName, Visits: _visits, ...last }: Former) {
    form.setFieldsValue({ ...last, Phone: formatPhone(last.Phone) })
    if (last.HostEmployeeID && HostName) setHost({ id: last.HostEmployeeID, name: HostName })
    setFormer(undefined)
  }

  return (
    <RecordPage title={t('shell:pages.VisitorRegister')}>
      {/* Always rendered, so that the layout below does not shift while the user clicks. */}
      <Alert
        showIcon
        type="info"
        message={
          former
            ? t('access:visitor.former', { name: former.VisitorName, visits: former.Visits })
            : t('access:visitor.formerHint')
        }
        action={
          <Button disabled={!former} onClick={() => former && fillIn(former)}>
            {t('access:visitor.fillIn')}
          </Button>
        }
      />
      <FormCard
        resource="visitor"
        formState={edited}
        record={undefined}
        fields={[...fields, mail]}
        initial={initial}
        names={FIELD_NAMES}
        submitText={t('access:visitor.register')}
        cancelTo={pathTo('VisitorManagement')}
        submit={async (values) => {
          const row = await edited.save(values)
          if (row) void navigate(pathTo('VisitorEdit', { visitorID: row['VisitorID'] as string }))
        }}
      />
    </RecordPage>
  )
}
