import { Badge, Card, Tabs, Button, Steps } from 'antd'
import { useParams } from 'react-router'
import type { HistoryStatus } from '../../../contract/energy/meter-data-calls.ts'
import { useTimeZone } from '../../data/homes.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { useMay } from '../../data/session.ts'
import { Page } from '../../ui/page/page.tsx'
import { ListSkeleton, LoadFailed, ForbiddenState, EmptyState } from '../../ui/page/states.tsx'
import { useLeaveGuard } from '../../ui/page/leave-guards.ts'
import { useMeters } from '../../domain/energy/use-meters.ts'
import { useMeterTree } from '../../domain/energy/use-meter-tree.ts'
import { type NamedMeter, useNamedMeters, useVirtualMeterNames } from '../../domain/energy/use-names.ts'
import { useRoles } from '../../domain/energy/use-roles.ts'
import { AddDevicesLink } from '../../ui/page/page-links.tsx'
import { CorrectionForm } from './correction-form.tsx'
import { Journal } from './journal.tsx'
import { MeterList } from './meter-list.tsx'
import page from '../../ui/page/page.module.css'
import type { Guard, Place } from './common/place.ts'
import { PlaceList } from './places/place-list.tsx'
import { TopMeters } from './top-meters.tsx'
import { TABS, useMetersAddress, type MetersAddress } from './common/use-address.ts'
import { useQuarantined } from './common/use-meters.ts'
import { VirtualMeters } from './virtual-meters.tsx'
import { Quarantined } from './quarantined.tsx'
import { useState } from 'react'
import { CheckStep, WhenStep, ValuesStep } from './replacement/steps.tsx'
import { useReplacement } from './replacement/use-replacement.ts'

const STEPS = ['when', 'values', 'check'] as const

/** Wizard for the replacement of a meter: meter and time, last and first reading, effect on the energy. */
function ReplacementWizard(props: { place: Place; address: MetersAddress; guard: Guard }) {
  const t = useT()
  const replacement = useReplacement(props)
  const [step, setStep] = useState(0)
  const { meter, placed, entered, busy } = replacement
  const send = async () => {
    if (await replacement.send()) setStep(0)
  }
  return (
    <Card title={t('meters:replace.title')}>
      <div className={page.stack}>
        <p className={page.hint}>{t('meters:replace.why')}</p>
        <Steps
          size="small"
          current={step}
          items={STEPS.map((stepName) => ({ title: t(`meters:replace.steps.${stepName}`) }))}
        />
        {step === 0 && <WhenStep replacement={replacement} />}
        {step === 1 && <ValuesStep replacement={replacement} />}
        {step === 2 && <CheckStep replacement={replacement} />}
        <div className={page.buttons}>
          {step > 0 && <Button onClick={() => setStep(step - 1)}>{t('screens:addDevice.back')}</Button>}
          {step < 2 ? (
            <Button
              type="primary"
              disabled={step === 0 ? !placed : !entered}
              onClick={() => setStep(step + 1)}
            >
              {t('screens:addDevice.next')}
            </Button>
          ) : (
            <Button
              type="primary"
              loading={busy}
              disabled={meter === undefined || !entered}
              onClick={() => void send()}
            >
              {t('meters:replace.save')}
            </Button>
          )}
        </div>
      </div>
    </Card>
  )
}

const NO_METERS: ReadonlyMap<string, NamedMeter> = new Map()

/** Page on the reliability of a home's counters: meters, corrections, quarantined readings, virtual meters, and the meter tree. */
export default function MetersPage() {
  const t = useT()
  const { HomeID = '' } = useParams()
  const zone = useTimeZone(HomeID)
  const query = useMeters(HomeID)
  return (
    <Page title={t('shell:pages.Meters')} intro={t('meters:intro')} key={HomeID}>
      {query.data && zone !== undefined ? (
        <Parts homeId={HomeID} zone={zone} statuses={query.data} />
      ) : query.error ? (
        <LoadFailed error={query.error} retry={() => void query.refetch()} />
      ) : (
        <Card>
          <ListSkeleton rows={8} />
        </Card>
      )}
    </Page>
  )
}

function Parts(props: { homeId: string; zone: string; statuses: readonly HistoryStatus[] }) {
  const { homeId, zone, statuses } = props
  const t = useT()
  const address = useMetersAddress()
  const meters = useNamedMeters(homeId, statuses)
  const waitingCount = useQuarantined(homeId).data?.pages.at(-1)?.Total ?? 0
  const virtual = useVirtualMeterNames(homeId) ?? NO_METERS
  const place: Place = {
    homeId,
    zone,
    meters,
    virtual,
    tree: useMeterTree(homeId, meters, virtual, useRoles(homeId)),
    nameOf: (id) => meters.get(id)?.name ?? virtual.get(id)?.name ?? id,
  }
  const guard = useLeaveGuard()
  return (
    <Tabs
      activeKey={address.tab}
      destroyOnHidden
      onChange={(key) =>
        guard.ask(() => {
          guard.setDirty(false)
          address.openTab(TABS.find((knownTab) => knownTab === key) ?? 'meters')
        })
      }
      items={TABS.map((key) => ({
        key,
        label:
          key === 'quarantined' && waitingCount > 0 ? (
            <>
              {t('meters:tabs.quarantined')} <Badge count={waitingCount} overflowCount={999} />
            </>
          ) : (
            t(`meters:tabs.${key}`)
          ),
        children: key === address.tab && (
          <Panel place={place} statuses={statuses} address={address} guard={guard} />
        ),
      }))}
    />
  )
}

function Panel(props: {
  place: Place
  statuses: readonly HistoryStatus[]
  address: MetersAddress
  guard: Guard
}) {
  const { place, statuses, address, guard } = props
  const t = useT()
  const mayChange = useMay('electricity', 'Update')
  const noMeters = (
    <Card>
      <EmptyState
        drawing="meter"
        message={t('meters:none')}
        next={<AddDevicesLink homeId={place.homeId} />}
      />
    </Card>
  )
  switch (address.tab) {
    case 'meters':
      return statuses.length === 0 ? (
        noMeters
      ) : (
        <div className={page.stack}>
          <TopMeters place={place} />
          <MeterList place={place} statuses={statuses} address={address} />
        </div>
      )
    case 'replace':
    case 'correct':
      return (
        <div className={page.stack}>
          {!mayChange ? (
            <Card>
              <ForbiddenState right={{ feature: 'electricity', operation: 'Update' }} />
            </Card>
          ) : statuses.length === 0 ? (
            noMeters
          ) : address.tab === 'replace' ? (
            <ReplacementWizard place={place} address={address} guard={guard} />
          ) : (
            <CorrectionForm place={place} address={address} guard={guard} />
          )}
          <Journal place={place} kind={address.tab === 'replace' ? 'replacement' : 'interval'} />
        </div>
      )
    case 'quarantined':
      return <Quarantined place={place} address={address} />
    case 'virtual':
      return <VirtualMeters place={place} guard={guard} />
    case 'places':
      return <PlaceList homeId={place.homeId} zone={place.zone} />
  }
}
