import { formatEnergy, formatLack } from '../../../contract/kernel/numbers.ts'
import { MoreOutlined } from '@ant-design/icons'
import { useState } from 'react'
import { Link } from 'react-router'
import type { Coverage } from '../../../contract/energy/meter-data-calls.ts'
import { virtualMeter, type VirtualMeter } from '../../../contract/meters/virtual-meter.ts'
import type { MeterRole } from '../../../contract/devices/meter-roles.ts'
import { call } from '../../data/api.ts'
import { useMay } from '../../data/session.ts'
import { missingShare, type Total } from '../../domain/energy/totals.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { confirmRemoval } from '../../ui/page/confirm-removal.tsx'
import { MenuButton } from '../../ui/page/menu-button.tsx'
import { AmountValue } from '../../ui/tags/power-value.tsx'
import { StateTag } from '../../ui/tags/state-tag.tsx'
import { FactDrawer } from './facts/fact-drawer.tsx'
import { LazyRulesWarning } from '../../domain/automation/parts/lazy-users-warning.tsx'
import page from '../../ui/page/page.module.css'
import styles from './common/meters.module.css'
import { MoveDialog, type MoveFact } from './move/move-dialog.tsx'
import type { Place } from './common/place.ts'
import { RoleDialog } from './roles/role-dialog.tsx'
import { pathTo } from '../../navigation/paths.ts'

export const pathOfVirtual = (HomeID: string, id: string): string =>
  `${pathTo('Electricity', { HomeID })}?range=month&meters=${encodeURIComponent(id)}`

interface Props {
  place: Place
  meter: VirtualMeter
  /** Undefined if it is in no total. */
  role: MeterRole | undefined
  energy: Total
  failed: boolean
  edit: () => void
}

export function VirtualLine({ place, meter, role, energy, failed, edit }: Props) {
  const t = useT()
  return (
    <li className={page.spread}>
      <div>
        <strong>
          <Link to={pathOfVirtual(meter.HomeID, meter.VirtualMeterID)}>{meter.VirtualMeterName}</Link>
        </strong>{' '}
        {role !== undefined && <StateTag tone="plain">{t(`balance:roles.${role}`)}</StateTag>}
        <div className={page.hint}>
          {meter.Terms.map(
            ({ PeripheralUID, Factor }) => `${Factor > 0 ? '+' : '−'} ${place.nameOf(PeripheralUID)}`,
          ).join('  ')}
        </div>
        <div>
          {t('energy:last.month')} <AmountValue amount={formatEnergy(energy.kWh)} />
          <Lack coverage={energy.Coverage} />
          {failed && <span className={page.fault}> {t('screens:loadFailed')}</span>}
        </div>
      </div>
      <VirtualMenu place={place} meter={meter} role={role} edit={edit} />
    </li>
  )
}

function VirtualMenu({ place, meter, role, edit }: Pick<Props, 'place' | 'meter' | 'role' | 'edit'>) {
  const t = useT()
  const mayChange = useMay('electricity', 'Update')
  const mayRemove = useMay('electricity', 'Delete')
  const [open, setOpen] = useState<'role' | 'facts' | MoveFact>()
  const { HomeID, VirtualMeterID, VirtualMeterName: name } = meter
  const close = () => setOpen(undefined)
  const remove = () =>
    confirmRemoval({
      name,
      consequence: (
        <>
          <p>{t('meters:virtual.removeText')}</p>
          <LazyRulesWarning reference={{ HomeID, VirtualMeterID }} />
        </>
      ),
      remove: () => call(virtualMeter.operations.remove, { HomeID, VirtualMeterID }),
    })
  const items = [
    ...(mayChange
      ? [
          { key: 'edit', label: t('meters:virtual.edit'), onSelect: edit },
          { key: 'role', label: t('balance:role.choose'), onSelect: () => setOpen('role') },
          { key: 'parent', label: t('meters:parent.choose'), onSelect: () => setOpen('parent') },
          { key: 'room', label: t('meters:room.choose'), onSelect: () => setOpen('room') },
        ]
      : []),
    { key: 'facts', label: t('meters:facts.open'), onSelect: () => setOpen('facts') },
    ...(mayRemove ? [{ key: 'remove', label: t('screens:remove.ok'), danger: true, onSelect: remove }] : []),
  ]
  return (
    <>
      <MenuButton
        label={t('meters:moreOf', { name })}
        icon={<MoreOutlined />}
        className={styles.menu ?? ''}
        sections={[{ key: 'all', items }]}
      />
      {open === 'role' && (
        <RoleDialog place={place} id={VirtualMeterID} role={role} terms={meter.Terms} close={close} />
      )}
      {(open === 'parent' || open === 'room') && (
        <MoveDialog place={place} id={VirtualMeterID} fact={open} close={close} />
      )}
      {open === 'facts' && <FactDrawer place={place} id={VirtualMeterID} close={close} />}
    </>
  )
}

/** Missing share of its meters' time, which makes a difference too large and a sum too small. */
function Lack({ coverage }: { coverage: Coverage }) {
  const t = useT()
  const share = missingShare(coverage)
  if (share === 0) return null
  return <span className={page.hint}> {t('energy:missingShare', { share: formatLack(share) })}</span>
}
