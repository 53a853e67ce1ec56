import { Alert, InputNumber, Select } from 'antd'
import { useState, type ReactNode } from 'react'
import type { HomeTariff } from '../../../contract/tariffs/home-tariff-calls.ts'
import { parseDay, formatDay } from '../../../contract/time/periods.ts'
import { TAIPOWER_PLANS } from '../../../contract/tariffs/taipower-plans.ts'
import { CAPACITIES, versionOn, type TariffVersion } from '../../../contract/tariffs/tariff-terms.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { useFormatDate } from '../../ui/page/format-when.ts'
import { useLeaveGuard } from '../../ui/page/leave-guards.ts'
import { DayField } from '../../ui/inputs/day-field/day-field.tsx'
import { VersionPreview } from './band-strip.tsx'
import { ContractMisfit, misfitOf } from './contract-misfit.tsx'
import { useFaultPlace, type Fault } from './faults.ts'
import page from '../../ui/page/page.module.css'
import styles from './tariff.module.css'
import { usePlans, useSpanWords } from './use-tariff.ts'
import { Modal } from '../../ui/page/dialog.tsx'
import { holdsLabel } from '../../lib/match-words.ts'

const dayAfter = (date: string): string => formatDay(parseDay(date) + 1)
const dayBefore = (date: string): string => formatDay(parseDay(date) - 1)

/** Days without a price, both inclusive; `through` is null for an open end. */
interface UnpricedRange {
  from: string
  through: string | null
}

/**
 * Days of a range on which no version of a plan has a price.
 *
 * versions  oldest first, each day in one at most
 * through   inclusive; null for an open end
 */
export function unpricedIn(
  versions: readonly Pick<TariffVersion, 'ValidFrom' | 'ValidThrough'>[],
  from: string,
  through: string | null,
): UnpricedRange[] {
  const isOver = (day: string) => through !== null && day > through
  const holes: UnpricedRange[] = []
  let next = from
  for (const { ValidFrom, ValidThrough } of versions) {
    if (isOver(next)) return holes
    if (ValidThrough !== null && ValidThrough < next) continue
    if (ValidFrom > next) {
      holes.push({ from: next, through: isOver(ValidFrom) ? through : dayBefore(ValidFrom) })
    }
    if (ValidThrough === null) return holes
    next = dayAfter(ValidThrough)
  }
  return isOver(next) ? holes : [...holes, { from: next, through }]
}

interface Props {
  title: string
  initial: HomeTariff
  zone: string | undefined
  busy: boolean
  faults: readonly Fault[]
  /** Notice that another user has saved meanwhile; saving waits until it is resolved. */
  conflict: ReactNode
  /** Tariffs that would be replaced completely. */
  replaces: (next: HomeTariff) => readonly HomeTariff[]
  /** The unchanged stored history. */
  stored: readonly HomeTariff[]
  /** `isConfirmed` confirms an unusual contract. */
  save: (next: HomeTariff, isConfirmed: boolean) => Promise<void>
  close: () => void
}

/** Form for a home's plan from a day on, with its contract. */
export function HomeTariffForm(props: Props) {
  const { title, initial, zone, busy, faults, conflict, replaces, stored, save, close } = props
  const t = useT()
  const date = useFormatDate()
  const spanWords = useSpanWords()
  const { own, nameOf, versionsOf } = usePlans()
  const placeOf = useFaultPlace()
  const guard = useLeaveGuard()
  const [value, setValue] = useState(initial)
  const [isConfirmed, setIsConfirmed] = useState(false)
  const put = (changes: Partial<HomeTariff>) => {
    // A confirmation applies only to the same contract and plan.
    if (changes.PlanID !== undefined || changes.Capacities) setIsConfirmed(false)
    setValue((current) => ({ ...current, ...changes }))
    guard.setDirty(true)
  }
  const versions = versionsOf(value.PlanID)
  const shownCapacities = CAPACITIES.filter((capacity) =>
    versions.some(({ Seasons }) =>
      Seasons.some(({ CapacityRates }) => CapacityRates[capacity] !== undefined),
    ),
  )
  const upsideDown = value.ValidThrough !== null && value.ValidThrough < value.ValidFrom
  // Prices on its first day; if there are none, the latest.
  const currentVersion = versionOn(versions, parseDay(value.ValidFrom)) ?? versions.at(-1)
  const unpriced =
    value.ValidFrom && !upsideDown ? unpricedIn(versions, value.ValidFrom, value.ValidThrough) : []
  const misfit = shownCapacities.includes('regular') ? misfitOf(value, stored) : null
  const replaced = value.ValidFrom && !upsideDown ? replaces(value) : []
  return (
    <Modal
      open
      width={760}
      title={title}
      okText={t('screens:save')}
      cancelText={t('screens:cancel')}
      confirmLoading={busy}
      okButtonProps={{
        disabled: !value.ValidFrom || upsideDown || Boolean(conflict) || (misfit !== null && !isConfirmed),
      }}
      onOk={() =>
        void save(
          {
            ...value,
            Capacities: Object.fromEntries(
              shownCapacities.flatMap((capacity) =>
                value.Capacities[capacity] ? [[capacity, value.Capacities[capacity]]] : [],
              ),
            ),
          },
          isConfirmed,
        )
      }
      onCancel={() => guard.ask(close)}
    >
      <div className={`${page.stack} ${page.tightStack}`}>
        {conflict}
        <div className={`${page.fields} ${styles.form}`}>
          <label className={page.wholeRow}>
            {t('tariff:home.plan')}
            <Select
              showSearch
              filterOption={holdsLabel}
              value={value.PlanID}
              onChange={(PlanID) => put({ PlanID })}
              options={[
                {
                  label: t('tariff:home.builtIn'),
                  options: TAIPOWER_PLANS.map(({ PlanID }) => ({ value: PlanID, label: nameOf(PlanID) })),
                },
                ...(own.length > 0
                  ? [
                      {
                        label: t('tariff:tabs.own'),
                        options: own.map(({ TariffID, TariffName }) => ({
                          value: TariffID,
                          label: TariffName,
                        })),
                      },
                    ]
                  : []),
              ]}
            />
          </label>
          <p className={`${page.note} ${page.wholeRow}`}>{t('tariff:home.hint')}</p>
          <label>
            {t('tariff:from')}
            <DayField zone={zone} value={value.ValidFrom} change={(ValidFrom) => put({ ValidFrom })} />
          </label>
          <label>
            {t('tariff:through')}
            <DayField
              clears
              zone={zone}
              status={upsideDown ? 'error' : ''}
              value={value.ValidThrough ?? ''}
              change={(day) => put({ ValidThrough: day || null })}
            />
          </label>
          {shownCapacities.map((capacity) => (
            <label key={capacity}>
              {t(`tariff:capacities.${capacity}`)}
              <InputNumber
                min={0}
                max={1_000_000}
                suffix="kW"
                value={value.Capacities[capacity] ?? null}
                onChange={(kw) => put({ Capacities: { ...value.Capacities, [capacity]: kw ?? 0 } })}
              />
            </label>
          ))}
          <label>
            {t('tariff:home.phases')}
            <Select
              value={value.Phases}
              onChange={(Phases) => put({ Phases })}
              options={(['single', 'three'] as const).map((option) => ({
                value: option,
                label: t(`tariff:phases.${option}`),
              }))}
            />
          </label>
          <label>
            {t('tariff:home.powerFactor')}
            <InputNumber
              min={0}
              max={100}
              suffix="%"
              value={value.PowerFactor}
              onChange={(PowerFactor) => put({ PowerFactor })}
            />
          </label>
          <label>
            {t('tariff:home.billingDay')}
            <InputNumber
              min={1}
              max={28}
              precision={0}
              value={value.BillingDay}
              onChange={(day) => put({ BillingDay: day ?? 1 })}
            />
          </label>
          <label>
            {t('tariff:home.billing')}
            <Select
              value={value.BillingMonths === 1 ? 'monthly' : value.FirstMonth === 1 ? 'odd' : 'even'}
              onChange={(choice) =>
                put({ BillingMonths: choice === 'monthly' ? 1 : 2, FirstMonth: choice === 'even' ? 2 : 1 })
              }
              options={(['monthly', 'odd', 'even'] as const).map((option) => ({
                value: option,
                label: t(`tariff:billing.${option}`),
              }))}
            />
          </label>
          <label>
            {t('tariff:home.feedIn')}
            <InputNumber
              min={0}
              max={1_000}
              suffix={t('tariff:home.perKwh')}
              value={value.FeedIn}
              onChange={(FeedIn) => put({ FeedIn })}
            />
          </label>
        </div>
        {shownCapacities.includes('regular') && !value.Capacities.regular && (
          <Alert type="warning" showIcon message={t('tariff:home.noContract')} />
        )}
        <ContractMisfit
          plan={value.PlanID}
          misfit={misfit}
          isConfirmed={isConfirmed}
          setIsConfirmed={setIsConfirmed}
        />
        {unpriced.length > 0 && (
          <Alert
            type="warning"
            showIcon
            message={t('tariff:home.unpricedIn')}
            description={unpriced.map(({ from, through }) => (
              <div key={from}>{spanWords(from, through)}</div>
            ))}
          />
        )}
        {replaced.length > 0 && (
          <Alert
            type="warning"
            showIcon
            message={t('tariff:home.replaces')}
            description={replaced.map(({ PlanID, ValidFrom, ValidThrough }) => (
              <div key={ValidFrom}>
                {nameOf(PlanID)} {spanWords(ValidFrom, ValidThrough)}
              </div>
            ))}
          />
        )}
        {faults.map(({ path, text }) => (
          <p key={path} className={page.fault} role="alert">
            {t('tariff:faultAt', { span: placeOf(path), reason: text })}
          </p>
        ))}
        {currentVersion && (
          <section className={`${page.stack} ${page.tightStack}`}>
            <h3>{t('tariff:bill.table', { date: date(currentVersion.ValidFrom) })}</h3>
            <VersionPreview version={currentVersion} />
          </section>
        )}
      </div>
    </Modal>
  )
}
