import { useReadingFormat } from '../../domain/energy/use-figures.ts'
import { formatEnergy } from '../../../contract/kernel/numbers.ts'
import { Button, Card, Table } from 'antd'
import { DownOutlined, MoreOutlined, RightOutlined } from '@ant-design/icons'
import { useMemo, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import type { HistoryStatus } from '../../../contract/energy/meter-data-calls.ts'
import { deviceOfMeter } from '../../../contract/devices/kinds/meter-id.ts'
import type { MeterRole } from '../../../contract/devices/meter-roles.ts'
import { formatAge } from '../../lib/format-age.ts'
import { pathTo } from '../../navigation/paths.ts'
import { useDevices } from '../../data/homes.ts'
import { useLanguage, useT } from '../../lib/i18n/i18n.ts'
import { useMay } from '../../data/session.ts'
import { MenuButton } from '../../ui/page/menu-button.tsx'
import { AmountValue, Figure } from '../../ui/tags/power-value.tsx'
import { StateTag } from '../../ui/tags/state-tag.tsx'
import { useNow } from '../../ui/page/use-now.ts'
import { usePhone } from '../../ui/page/use-screen.ts'
import { ImportLink } from '../../ui/page/page-links.tsx'
import { meterFreshness } from '../../domain/energy/meter-freshness.ts'
import { isVirtual } from '../../domain/energy/use-names.ts'
import { type Roles, useRoles } from '../../domain/energy/use-roles.ts'
import { FactDrawer } from './facts/fact-drawer.tsx'
import { MeterExport } from './meter-export.tsx'
import { meterRows, type MeterRow, useVirtualMeters, useVirtualTotals } from './common/use-meters.ts'
import page from '../../ui/page/page.module.css'
import styles from './common/meters.module.css'
import { MoveDialog, type MoveFact } from './move/move-dialog.tsx'
import type { Place } from './common/place.ts'
import { RoleDialog } from './roles/role-dialog.tsx'
import { RoleWizard } from './roles/role-wizard.tsx'
import type { MetersAddress } from './common/use-address.ts'
import { pathOfVirtual } from './virtual-line.tsx'

interface Props {
  place: Place
  statuses: readonly HistoryStatus[]
  address: MetersAddress
}

/** Number of rows above which the list is paged. */
const PAGE_SIZE = 200
/** Indentation per level in px, and the maximum number of indented levels. */
const STEP = 20
const MAX_INDENT = 6

/** Tree of meters with their last readings, their energy, and the remainder that submeters do not cover. */
export function MeterList({ place, statuses, address }: Props) {
  const t = useT()
  const phone = usePhone()
  const [dialog, setDialog] = useState<{ id: string; kind: MeterDialogKind }>()
  const [isSetUp, setUp] = useState(false)
  const roles = useRoles(place.homeId)
  const mayUpdate = useMay('electricity', 'Update')
  const totals = useVirtualTotals(place)
  const rows = useMemo(
    () => meterRows([...place.tree.values()], [...statuses, ...totals]),
    [place.tree, statuses, totals],
  )
  const byId = useMemo(
    () => new Map(statuses.map((meterStatus) => [meterStatus.PeripheralUID, meterStatus])),
    [statuses],
  )
  const menu = (row: MeterRow) =>
    row.kind === 'meter' && (
      <MeterMenu
        place={place}
        id={row.PeripheralUID}
        address={address}
        openDialog={(kind) => setDialog({ id: row.PeripheralUID, kind })}
      />
    )
  const folding = useFolding(rows)
  const renderName = (row: MeterRow) => (
    <div className={styles.node} style={{ paddingInlineStart: Math.min(row.depth, MAX_INDENT) * STEP }}>
      <FoldButton name={place.nameOf(row.PeripheralUID)} id={row.key} folding={folding} />
      <Name place={place} row={row} role={roles?.roleOf(row.PeripheralUID)} />
    </div>
  )
  return (
    <Card
      className={styles.card ?? ''}
      extra={
        <span className={page.spread}>
          <FoldAll folding={folding} />
          {mayUpdate && roles && (
            <Button type="link" className={page.touch ?? ''} onClick={() => setUp(true)}>
              {t('balance:wizard.open')}
            </Button>
          )}
          <ImportLink homeId={place.homeId} className={page.touch} />
          <MeterExport place={place} rows={rows} byId={byId} />
        </span>
      }
    >
      {phone ? (
        <ul className={`${page.rows} ${styles.meters}`}>
          {folding.visibleRows.map((row) => (
            <li key={row.key}>
              {renderName(row)}
              {menu(row)}
              <dl className={`${page.facts} ${page.small} ${styles.totals}`}>
                <dt>{t('energy:last.day')}</dt>
                <dd>
                  <AmountValue amount={formatEnergy(row.today)} />
                </dd>
                <dt>{t('energy:last.month')}</dt>
                <dd>
                  <AmountValue amount={formatEnergy(row.month)} />
                </dd>
              </dl>
              {row.kind === 'meter' && <LastReading status={byId.get(row.PeripheralUID)} withValue={false} />}
            </li>
          ))}
        </ul>
      ) : (
        <Table<MeterRow>
          size="small"
          rowKey="key"
          className={styles.tree ?? ''}
          dataSource={[...folding.visibleRows]}
          pagination={
            folding.visibleRows.length > PAGE_SIZE ? { pageSize: PAGE_SIZE, showSizeChanger: false } : false
          }
          columns={[
            {
              key: 'name',
              title: t('energy:meter'),
              render: (_, row) => renderName(row),
            },
            {
              key: 'last',
              title: t('meters:lastReading'),
              align: 'right',
              render: (_, row) =>
                row.kind === 'meter' && <LastReading status={byId.get(row.PeripheralUID)} />,
            },
            {
              key: 'today',
              title: t('energy:last.day'),
              align: 'right',
              render: (_, { today }) => <AmountValue amount={formatEnergy(today)} />,
            },
            {
              key: 'month',
              title: t('energy:last.month'),
              align: 'right',
              render: (_, { month }) => <AmountValue amount={formatEnergy(month)} />,
            },
            { key: 'menu', title: t('meters:more'), width: 80, render: (_, row) => menu(row) },
          ]}
        />
      )}
      {dialog && (
        <MeterDialog
          place={place}
          id={dialog.id}
          dialogKind={dialog.kind}
          roles={roles}
          close={() => setDialog(undefined)}
        />
      )}
      {isSetUp && roles && <RoleWizard place={place} roles={roles} close={() => setUp(false)} />}
    </Card>
  )
}

/** Number of rows up to which all meters are visible at first; a longer tree shows its main meters. */
const MAX_UNFOLDED = 12

/** Rows that are not below a folded meter, and functions that fold and unfold. */
function useFolding(rows: readonly MeterRow[]) {
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set())
  const isLong = rows.length > MAX_UNFOLDED
  const parents = rows.filter(({ depth }, i) => (rows[i + 1]?.depth ?? 0) > depth).map(({ key }) => key)
  const isOpen = (key: string) => toggled.has(key) === isLong
  const isAllOpen = parents.every(isOpen)
  return {
    visibleRows: withoutFolded(rows, (key) => parents.includes(key) && !isOpen(key)),
    isParent: (key: string) => parents.includes(key),
    isOpen,
    toggle: (key: string) =>
      setToggled(
        (before) => new Set(before.has(key) ? [...before].filter((one) => one !== key) : [...before, key]),
      ),
    isAllOpen,
    /** Undefined for a short tree. */
    toggleAll: isLong ? () => setToggled(new Set(isAllOpen ? [] : parents)) : undefined,
  }
}

function withoutFolded(rows: readonly MeterRow[], isFolded: (key: string) => boolean): MeterRow[] {
  const visibleRows: MeterRow[] = []
  let foldedDepth = Infinity
  for (const row of rows) {
    if (row.depth > foldedDepth) continue
    foldedDepth = isFolded(row.key) ? row.depth : Infinity
    visibleRows.push(row)
  }
  return visibleRows
}

interface FoldButtonProps {
  id: string
  name: string
  folding: ReturnType<typeof useFolding>
}

/** Button that folds and unfolds all meters of a long tree. */
function FoldAll({ folding: { toggleAll, isAllOpen } }: Pick<FoldButtonProps, 'folding'>) {
  const t = useT()
  if (!toggleAll) return null
  return (
    <Button type="link" className={page.touch ?? ''} onClick={toggleAll}>
      {t(isAllOpen ? 'meters:foldAll' : 'meters:unfoldAll')}
    </Button>
  )
}

/** Button that folds and unfolds the submeters of a meter; a gap of its width for a meter without. */
function FoldButton({ id, name, folding }: FoldButtonProps) {
  const t = useT()
  if (!folding.isParent(id)) return <span className={styles.fold} />
  return (
    <Button
      type="text"
      className={styles.fold ?? ''}
      icon={folding.isOpen(id) ? <DownOutlined /> : <RightOutlined />}
      aria-label={t('meters:submetersOf', { name })}
      aria-expanded={folding.isOpen(id)}
      onClick={() => folding.toggle(id)}
    />
  )
}

type MeterDialogKind = 'role' | 'facts' | MoveFact

function MeterDialog(props: {
  place: Place
  id: string
  dialogKind: MeterDialogKind
  /** Undefined while they load. */
  roles: Roles | undefined
  close: () => void
}) {
  const { place, id, dialogKind: kind, roles, close } = props
  if (kind === 'facts') return <FactDrawer place={place} id={id} close={close} />
  if (kind !== 'role') return <MoveDialog key={kind} place={place} id={id} fact={kind} close={close} />
  return roles ? <RoleAsked place={place} id={id} roles={roles} close={close} /> : null
}

function RoleAsked(props: { place: Place; id: string; roles: Roles; close: () => void }) {
  const { place, id, roles, close } = props
  const virtualMeters = useVirtualMeters(place.homeId).data
  if (!isVirtual(id)) return <RoleDialog place={place} id={id} role={roles.roleOf(id)} close={close} />
  const terms = virtualMeters?.find(({ VirtualMeterID }) => VirtualMeterID === id)?.Terms
  return terms && <RoleDialog place={place} id={id} role={roles.saidOf(id)} terms={terms} close={close} />
}

function Name({ place, row, role }: { place: Place; row: MeterRow; role: MeterRole | undefined }) {
  const t = useT()
  const mayOpenDevice = useMay('device', 'Read')
  const { homeId, nameOf } = place
  const { PeripheralUID: id } = row
  const to = isVirtual(id)
    ? pathOfVirtual(homeId, id)
    : mayOpenDevice && pathTo('DeviceInfo', { HomeID: homeId, peripheralID: deviceOfMeter(id).PeripheralUID })
  if (row.kind === 'meter')
    return (
      <>
        {to ? (
          <Link className={`${page.touch} ${page.words} ${page.text}`} to={to}>
            {nameOf(id)}
          </Link>
        ) : (
          <span className={`${page.touch} ${page.words}`}>{nameOf(id)}</span>
        )}
        {isVirtual(id) && <StateTag tone="plain">{t('meters:virtual.one')}</StateTag>}
        {role !== undefined && role !== 'load' && (
          <StateTag tone="plain">{t(`balance:roles.${role}`)}</StateTag>
        )}
      </>
    )
  if ((row.month ?? row.today ?? 0) >= 0) return <span className={page.hint}>{t('energy:untracked')}</span>
  return (
    <span title={t('energy:negativeWhy')}>
      <StateTag tone="warning">{t('energy:negative')}</StateTag>
    </span>
  )
}

/** Last reading, with its time unless it is current; distinguishes offline, never reported and stale. */
function LastReading({
  status,
  withValue = true,
}: {
  status: HistoryStatus | undefined
  withValue?: boolean
}) {
  const t = useT()
  const language = useLanguage()
  const readingOf = useReadingFormat()
  const now = useNow()
  const devices = useDevices(status?.HomeID).data
  if (!status) return null
  const hub = devices?.Peripherals.find((device) => device.PeripheralUID === status.PeripheralUID)?.ThingName
  const at = status.LastUpdateTimestamp
  const hubOnline = devices?.Things.find(({ ThingName }) => ThingName === hub)?.Online
  const freshness = meterFreshness(status, hubOnline, now)
  if (freshness === 'current' && !withValue) return null
  return (
    <div className={`${styles.last} ${freshness === 'current' ? '' : styles.old}`}>
      {freshness !== 'current' && at !== null && <span>{formatAge(at, now, language)}</span>}
      {freshness === 'offline' && <StateTag tone="offline">{t('energy:offline')}</StateTag>}
      {freshness === 'none' && <StateTag tone="plain">{t('energy:noReading')}</StateTag>}
      {freshness === 'stale' && <StateTag tone="warning">{t('energy:stale')}</StateTag>}
      {withValue && <Figure value={readingOf(status.AccumulatePower)} unit="kWh" />}
    </div>
  )
}

function MeterMenu(props: {
  place: Place
  id: string
  address: MetersAddress
  openDialog: (kind: MeterDialogKind) => void
}) {
  const { place, id, address, openDialog } = props
  const t = useT()
  const navigate = useNavigate()
  const mayMove = useMay('device', 'Update')
  const mayOpenDevice = useMay('device', 'Read')
  const mayCorrect = useMay('electricity', 'Update')
  const mayReadHistory = useMay('history', 'Read')
  const HomeID = place.homeId
  // A virtual meter has no counter to read, replace or correct.
  const isCounter = !isVirtual(id)
  const items = [
    ...(mayReadHistory && isCounter
      ? [
          {
            key: 'history',
            label: t('shell:pages.historyData'),
            onSelect: () =>
              void navigate(
                `${pathTo('historyData', { HomeID })}?${new URLSearchParams({ q: `${id}:${deviceOfMeter(id).isReturn ? 'AccumulatePower' : 'Power'}` })}`,
              ),
          },
          {
            key: 'export',
            label: t('shell:pages.Export'),
            onSelect: () =>
              void navigate(
                `${pathTo('Export', { HomeID, kind: 'meter' })}?${new URLSearchParams({ meters: id })}`,
              ),
          },
        ]
      : []),
    ...(mayCorrect && isCounter
      ? [
          {
            key: 'import',
            label: t('shell:pages.MeterImport'),
            onSelect: () =>
              void navigate(`${pathTo('MeterImport', { HomeID })}?${new URLSearchParams({ meter: id })}`),
          },
          { key: 'replace', label: t('meters:tabs.replace'), onSelect: () => address.openTab('replace', id) },
          { key: 'correct', label: t('meters:tabs.correct'), onSelect: () => address.openTab('correct', id) },
        ]
      : []),
    ...(mayCorrect
      ? [{ key: 'role', label: t('balance:role.choose'), onSelect: () => openDialog('role') }]
      : []),
    ...(mayMove || mayCorrect
      ? [
          { key: 'parent', label: t('meters:parent.choose'), onSelect: () => openDialog('parent') },
          ...(mayOpenDevice
            ? [{ key: 'room', label: t('meters:room.choose'), onSelect: () => openDialog('room') }]
            : []),
        ]
      : []),
    { key: 'facts', label: t('meters:facts.open'), onSelect: () => openDialog('facts') },
    ...(isCounter
      ? []
      : [{ key: 'virtual', label: t('meters:tabs.virtual'), onSelect: () => address.openTab('virtual') }]),
  ]
  return (
    <MenuButton
      label={t('meters:moreOf', { name: place.nameOf(id) })}
      icon={<MoreOutlined />}
      className={styles.menu ?? ''}
      sections={[{ key: 'all', items }]}
    />
  )
}
