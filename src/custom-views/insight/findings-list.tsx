import { useQuery } from '@tanstack/react-query'
import { Button, Form, Input, Select } from 'antd'
import { PlusOutlined } from '@ant-design/icons'
import { useState } from 'react'
import { findings, type Finding } from '../../../contract/findings/calls.ts'
import { callQuery, type RequestOf } from '../../data/api.ts'
import { useMay, useMe } from '../../data/session.ts'
import { useT, t as tNow } from '../../lib/i18n/i18n.ts'
import { formatSaving, overlappingPart, useFindingWords } from '../../domain/finding/use-finding-words.ts'
import type { TitledColumn } from '../../record-kit/list/column.ts'
import { CallList } from '../../record-kit/list/call-list.tsx'
import { lazyPart } from '../../ui/page/lazy.tsx'
import { useAddress, oneOf } from '../../ui/page/use-address.ts'
import page from '../../ui/page/page.module.css'
import { FindingState } from './findings-state.tsx'
import { FINDING_KINDS, FINDING_STATES } from '../../../contract/findings/finding-life.ts'
import { barChoice } from '../../ui/filter-bar/bar-choice.tsx'
import { dayOf, formatDay } from '../../../contract/time/periods.ts'
import { describeFailure } from '../../data/failure.ts'
import { useAction } from '../../data/use-action.ts'
import { useMeters } from '../../domain/energy/use-meters.ts'
import { useNamedMeters } from '../../domain/energy/use-names.ts'
import { DayField } from '../../ui/inputs/day-field/day-field.tsx'
import { useNow } from '../../ui/page/use-now.ts'
import { Modal } from '../../ui/page/dialog.tsx'
import { holdsLabel } from '../../lib/match-words.ts'
import { useWide } from '../../ui/page/use-screen.ts'

const OWNERS = ['mine', 'nobody'] as const
const NAMES = ['state', 'kind', 'owner'] as const

/** Filters of the list, stored in the address. */
function useFindingFilter() {
  const t = useT()
  const me = useMe()
  const { get, change } = useAddress()
  const state = oneOf(FINDING_STATES, get('state'))
  const kind = oneOf(FINDING_KINDS, get('kind'))
  const owner = oneOf(OWNERS, get('owner'))
  const input: Omit<RequestOf<typeof findings.listFinding>, 'HomeID'> = {
    ...(state && { Filter: state }),
    ...(kind && { Kind: kind }),
    ...(owner === 'nobody' && { Owner: null }),
    ...(owner === 'mine' && me && { Owner: me.CognitoId }),
  }
  return {
    filters: [
      barChoice({
        key: 'state',
        value: state,
        label: t('insight:findings.filters.state'),
        placeholder: t('insight:findings.filters.current'),
        options: FINDING_STATES.map((value) => ({ value, label: t(`insight:findings.states.${value}`) })),
        onChange: (next) => change({ state: next }),
      }),
      barChoice({
        key: 'kind',
        value: kind,
        label: t('insight:findings.filters.kind'),
        placeholder: t('insight:findings.filters.anyKind'),
        options: FINDING_KINDS.map((value) => ({ value, label: t(`insight:findings.kinds.${value}`) })),
        onChange: (next) => change({ kind: next }),
      }),
      barChoice({
        key: 'owner',
        value: owner,
        label: t('insight:findings.filters.owner'),
        placeholder: t('insight:findings.filters.anyOwner'),
        options: OWNERS.map((value) => ({ value, label: t(`insight:findings.filters.${value}`) })),
        onChange: (next) => change({ owner: next }),
      }),
    ],
    input,
    isOn: state !== undefined || kind !== undefined || owner !== undefined,
    clear: () => change(Object.fromEntries(NAMES.map((name) => [name, undefined]))),
  }
}

const FindingDrawer = lazyPart(() => import('./findings-drawer.tsx'), { isOverlay: true })
const keyOf = ({ FindingID }: Finding) => FindingID

/** Findings of a home, the largest amount first, filtered by the address; one opens in a drawer. */
export function FindingsList({ homeId, zone }: { homeId: string; zone: string }) {
  const t = useT()
  const { get, change } = useAddress()
  const filter = useFindingFilter()
  const open = get('finding')
  const saving = useQuery(callQuery(findings.getSaving, { HomeID: homeId }))
  // A home without enough data is not free of findings.
  const isKnown = saving.data !== undefined && saving.data.State !== 'tooLittle'
  const mayRecord = useMay('electricity', 'Update')
  return (
    <>
      <CallList
        isEmbedded
        endpoint={findings.listFinding}
        input={{ HomeID: homeId, ...filter.input }}
        keyOf={keyOf}
        title={t('insight:findings.list')}
        filtered={filter.isOn}
        clear={filter.clear}
        bar={{ filters: filter.filters }}
        primary={mayRecord && <RecordMeasure homeId={homeId} zone={zone} />}
        columns={useColumns(saving.data?.Parts !== undefined)}
        open={({ FindingID }) => change({ finding: FindingID })}
        empty={t(`insight:findings.empty.${filter.isOn ? 'filtered' : isKnown ? 'none' : 'tooLittle'}`)}
      />
      {open !== '' && (
        <FindingDrawer
          key={open}
          homeId={homeId}
          zone={zone}
          id={open}
          close={() => change({ finding: undefined })}
        />
      )}
    </>
  )
}

/** Columns of the list; `hasParts`: whether it is known which findings are in the headline. */
function useColumns(hasParts: boolean): TitledColumn<Finding>[] {
  const t = useT()
  const { titleOf, placeOf, sentenceOf, amountOf } = useFindingWords()
  const isWide = useWide()
  return [
    {
      key: 'what',
      title: t('insight:findings.columns.what'),
      width: isWide ? 220 : 180,
      render: (finding) => (
        <span className={`${page.column} ${page.words}`}>
          <b>{titleOf(finding)}</b>
          <small>{placeOf(finding)}</small>
        </span>
      ),
    },
    {
      key: 'amount',
      title: t('insight:findings.columns.amount'),
      width: 170,
      render: (finding) => {
        const { Kind, Amount, Verified, Counted } = finding
        // A measure recorded by a user has no estimate, only a measured saving.
        if (Kind === 'measure')
          return <span className={page.figures}>{amountOf({ Kind, Amount: Verified?.Amount ?? null })}</span>
        const part = overlappingPart(finding)
        return (
          <span className={`${page.column} ${page.figures}`}>
            {amountOf({ Kind, Amount })}
            {part !== undefined && (
              <small>{t('insight:findings.counted', { amount: formatSaving(part) })}</small>
            )}
            {hasParts && Amount !== null && Counted === undefined && (
              <small>{t('insight:findings.apart')}</small>
            )}
          </span>
        )
      },
    },
    {
      key: 'why',
      title: t('insight:findings.columns.why'),
      width: isWide ? 360 : 240,
      render: (finding) => sentenceOf(finding),
    },
    {
      key: 'state',
      title: t('insight:findings.columns.state'),
      width: 170,
      render: (finding) => <FindingState finding={finding} />,
    },
  ]
}

interface Props {
  homeId: string
  zone: string
}

/** Records an energy saving measure without a finding, so that its saving is measured. */
function RecordMeasure(props: Props) {
  const t = useT()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button icon={<PlusOutlined />} onClick={() => setOpen(true)}>
        {t('insight:findings.record.button')}
      </Button>
      {isOpen && <RecordDialog {...props} close={() => setOpen(false)} />}
    </>
  )
}

function RecordDialog({ homeId, zone, close }: Props & { close: () => void }) {
  const t = useT()
  const today = formatDay(dayOf(useNow(), zone))
  const meters = useNamedMeters(homeId, useMeters(homeId).data ?? [])
  const [meter, setMeter] = useState<string>()
  const [name, setName] = useState('')
  const [day, setDay] = useState(today)
  const { busy, failure, refused, run } = useAction(findings.recordMeasure, { feedback: 'both' })
  const MeasureName = name.trim()
  const isComplete = meter !== undefined && MeasureName !== '' && day !== ''
  const save = async () => {
    if (!isComplete) return
    const input = { HomeID: homeId, MeterID: meter, MeasureName, DoneOn: day }
    if (await run(input, () => tNow('insight:findings.record.done', { name: MeasureName }))) close()
  }
  return (
    <Modal
      open
      title={t('insight:findings.record.title')}
      okText={t('screens:save')}
      cancelText={t('screens:cancel')}
      okButtonProps={{ disabled: !isComplete }}
      confirmLoading={busy}
      onOk={() => void save()}
      onCancel={close}
    >
      <p className={page.note}>{t('insight:findings.record.note')}</p>
      <Form layout="vertical" component="div">
        <Form.Item label={t('insight:findings.record.name')} required>
          <Input
            aria-label={t('insight:findings.record.name')}
            maxLength={64}
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        </Form.Item>
        <Form.Item
          label={t('insight:findings.record.meter')}
          required
          extra={t('insight:findings.record.meterHint')}
          {...(refused['MeterID'] && {
            validateStatus: 'error' as const,
            help: t('insight:findings.record.taken'),
          })}
        >
          <Select
            showSearch
            filterOption={holdsLabel}
            aria-label={t('insight:findings.record.meter')}
            value={meter ?? null}
            onChange={(id: string | null) => setMeter(id ?? undefined)}
            options={[...meters.values()].map(({ PeripheralUID, name: label }) => ({
              value: PeripheralUID,
              label,
            }))}
          />
        </Form.Item>
        <Form.Item label={t('insight:findings.acts.doneDay')} required>
          <DayField
            zone={zone}
            max={today}
            label={t('insight:findings.acts.doneDay')}
            value={day}
            change={setDay}
          />
        </Form.Item>
      </Form>
      {failure !== undefined && !refused['MeterID'] && (
        <p role="alert" className={page.fault}>
          {describeFailure(failure)}
        </p>
      )}
    </Modal>
  )
}
