import { formatWhole } from '../../../contract/kernel/numbers.ts'
import { Card, Alert, Button, Checkbox, Radio, Select } from 'antd'
import { Navigate, useLocation, useParams, useSearchParams } from 'react-router'
import { DownloadOutlined } from '@ant-design/icons'
import type { FC, ReactNode } from 'react'
import { capabilityOf } from '../../../contract/devices/kinds/registry.ts'
import { pathTo } from '../../navigation/paths.ts'
import { useDevices, useHomes } from '../../data/homes.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { useMay } from '../../data/session.ts'
import { Page } from '../../ui/page/page.tsx'
import { ListSkeleton, LoadFailed, ForbiddenState, EmptyState } from '../../ui/page/states.tsx'
import { AddDevicesLink, ImportLink } from '../../ui/page/page-links.tsx'
import page from '../../ui/page/page.module.css'
import { startsBetween } from '../../../contract/time/periods.ts'
import type { HomeWithRooms } from '../../../contract/homes/home.ts'
import type { Peripheral } from '../../../contract/devices/peripheral.ts'
import {
  columnsFor,
  DETAILS,
  FORMATS,
  readOptions,
  writeOptions,
  type ColumnChoice,
  type Detail,
  type ExportOptions,
} from './options.ts'
import { createExportPlan } from './export-plan.ts'
import { describeRight } from '../../data/failure.ts'
import { useDecimalPrecision } from '../../data/personal.ts'
import { useUnsavedGuard } from '../../ui/page/leave-guards.ts'
import { formatDates } from '../../ui/inputs/period-picker/period.ts'
import { PeriodPicker } from '../../ui/inputs/period-picker/period-picker.tsx'
import { usePeriod } from '../../ui/inputs/period-picker/use-period.ts'
import { useNow } from '../../ui/page/use-now.ts'
import { ExportStanding } from './export-progress.tsx'
import { useExport } from './use-export.ts'
import { holdsLabel } from '../../lib/match-words.ts'

interface Props {
  home: HomeWithRooms
  meters: readonly Peripheral[]
}

/** Details that the user may export: readings need history rights, sums electricity rights (§6). */
function useAllowed(): (detail: Detail) => boolean {
  const history = [useMay('history', 'Read'), useMay('history_download', 'Export')]
  const electricity = [useMay('electricity', 'Read'), useMay('electricity_download', 'Export')]
  return (detail) => !(detail === 'raw' ? history : electricity).includes(false)
}

/** Options of an export, stored in the address, so that a link can be shared. */
const ExportForm: FC<Props> = ({ home, meters }) => {
  const t = useT()
  const allowed = useAllowed()
  const decimals = useDecimalPrecision()
  const now = useNow()
  const zone = home.TimeZone
  const [params, setParams] = useSearchParams()
  const selectedPeriod = usePeriod(zone, now, 'last30')
  const options = readOptions(params, allowed)
  const change = (next: Partial<ExportOptions>) =>
    setParams((old) => writeOptions(old, next), { replace: true })
  const { state, start, resume, again, cancel, isKept } = useExport()

  const selectedMeters = meters.filter(({ PeripheralUID }) => options.meters.includes(PeripheralUID))
  const exported = selectedMeters.length > 0 ? selectedMeters : meters
  const range = { from: selectedPeriod.period.from, to: Math.min(selectedPeriod.period.to, now) }
  const busy = state.step === 'running' || state.step === 'stopped'
  useUnsavedGuard(busy, isKept, {
    title: t('export:leave.title'),
    text: t('export:leave.text'),
    leave: t('export:leave.leave'),
  })
  const isForbidden = !allowed(options.detail)
  const estimate =
    options.detail === 'raw' || range.to <= range.from
      ? undefined
      : startsBetween(options.detail, range.from, range.to, zone).length * exported.length

  const startExport = () => {
    const plan = createExportPlan(
      options,
      {
        HomeName: home.HomeName,
        zone,
        meters: exported.map(({ PeripheralUID, PeripheralName }) => ({ PeripheralUID, PeripheralName })),
        // ISO dates, so that files sort by date in either language.
        days: formatDates(selectedPeriod.period.days).replace('..', '_'),
        decimals,
      },
      t,
    )
    start({ homeId: home.HomeID, detail: options.detail, range, plan })
  }

  return (
    <div className={page.stack}>
      <Field label={t('export:period')}>
        <PeriodPicker value={selectedPeriod.value} onChange={selectedPeriod.onChange} zone={zone} />
      </Field>
      <Field label={t('export:meters')} htmlFor="export-meters">
        <Select
          id="export-meters"
          mode="multiple"
          allowClear
          maxTagCount={6}
          value={selectedMeters.map(({ PeripheralUID }) => PeripheralUID)}
          placeholder={t('export:allMeters', { count: meters.length })}
          filterOption={holdsLabel}
          disabled={busy}
          onChange={(next: string[]) => change({ meters: next })}
          options={meters.map(({ PeripheralUID, PeripheralName }) => ({
            value: PeripheralUID,
            label: PeripheralName,
          }))}
        />
      </Field>
      <Field label={t('export:detail')} htmlFor="export-detail">
        <Select
          id="export-detail"
          value={options.detail}
          disabled={busy}
          onChange={(detail: Detail) => change({ detail, columns: [] })}
          options={DETAILS.map((detail) => ({
            value: detail,
            label: t(`export:details.${detail}`),
            disabled: !allowed(detail),
          }))}
        />
      </Field>
      {(['raw', 'quarter'] as const)
        .filter((detail) => !allowed(detail))
        .map((detail) => (
          <Alert
            key={detail}
            type="info"
            showIcon
            message={describeRight({
              feature: detail === 'raw' ? 'history_download' : 'electricity_download',
              operation: 'Export',
            })}
          />
        ))}
      <Group label={t('export:columns')}>
        <Checkbox.Group
          className={page.row ?? ''}
          value={[...options.columns]}
          disabled={busy}
          onChange={(columns) => change({ columns: columns as ColumnChoice[] })}
          options={columnsFor(options.detail).map((column) => ({
            value: column,
            label: t(`export:columnNames.${column}`),
          }))}
        />
        <p className={page.note}>{t(`export:markNotes.${options.detail === 'raw' ? 'raw' : 'energy'}`)}</p>
      </Group>
      <Group label={t('export:format')}>
        <Radio.Group
          optionType="button"
          buttonStyle="solid"
          value={options.format}
          disabled={busy}
          onChange={(event) => change({ format: event.target.value })}
          options={FORMATS.map((format) => ({ value: format, label: t(`export:formats.${format}`) }))}
        />
        {options.format === 'xlsx' && exported.length > 1 && (
          <Checkbox
            checked={options.oneWorkbook}
            disabled={busy}
            onChange={(event) => change({ oneWorkbook: event.target.checked })}
          >
            {t('export:oneWorkbook')}
          </Checkbox>
        )}
        <Checkbox
          checked={options.rounded}
          disabled={busy}
          onChange={(event) => change({ rounded: event.target.checked })}
        >
          {t('export:rounded', { decimals })}
        </Checkbox>
      </Group>
      <div className={page.wideRow}>
        <Button
          type="primary"
          icon={<DownloadOutlined />}
          disabled={busy || isForbidden || range.to <= range.from}
          onClick={startExport}
        >
          {t('export:start')}
        </Button>
        {estimate !== undefined && (
          <span className={`${page.note} ${page.figures}`}>
            {t('export:estimate', { rows: formatWhole(estimate) })}
          </span>
        )}
        <ImportLink homeId={home.HomeID} />
      </div>
      <div aria-live="polite">
        <ExportStanding state={state} zone={zone} resume={resume} onRestart={again} cancel={cancel} />
      </div>
    </div>
  )
}

function Field(props: { label: string; htmlFor?: string; children: ReactNode }) {
  return (
    <div className={page.field}>
      {props.htmlFor ? <label htmlFor={props.htmlFor}>{props.label}</label> : <strong>{props.label}</strong>}
      {props.children}
    </div>
  )
}

function Group(props: { label: string; children: ReactNode }) {
  return (
    <fieldset className={page.field}>
      <legend>{props.label}</legend>
      {props.children}
    </fieldset>
  )
}

/** Exports past energy of a home's meters to files, created in the browser (§1, §2). */
export default function ExportPage() {
  const t = useT()
  const { HomeID = '', kind } = useParams()
  const { search } = useLocation()
  if (kind !== 'meter')
    return <Navigate to={`${pathTo('Export', { HomeID, kind: 'meter' })}${search}`} replace />
  return (
    <Page title={t('shell:pages.Export')} intro={t('export:intro')} width="form" key={HomeID}>
      <Card>
        <Content homeId={HomeID} />
      </Card>
    </Page>
  )
}

function Content({ homeId }: { homeId: string }) {
  const t = useT()
  const home = useHomes()?.find(({ HomeID }) => HomeID === homeId)
  const devices = useDevices(homeId)
  const may = useMay('device', 'Read')
  if (!may) return <ForbiddenState right={{ feature: 'device', operation: 'Read' }} />
  if (devices.error && !devices.data)
    return <LoadFailed error={devices.error} retry={() => void devices.refetch()} />
  if (!devices.data || !home) return <ListSkeleton rows={8} />
  const meters = devices.data.Peripherals.filter(({ PeripheralType }) =>
    capabilityOf(PeripheralType, 'meter'),
  )
  if (meters.length === 0)
    return (
      <EmptyState drawing="meter" message={t('export:noMeters')} next={<AddDevicesLink homeId={homeId} />} />
    )
  return <ExportForm home={home} meters={meters} />
}
