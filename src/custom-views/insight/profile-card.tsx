import {
  formatComplete,
  formatFigure,
  formatShare,
  NO_VALUE,
  powerText,
} from '../../../contract/kernel/numbers.ts'
import { Card, Segmented, Select } from 'antd'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import {
  insight,
  type LoadProfile,
  MAX_PROFILE_METERS,
  SHAPES,
} from '../../../contract/energy/insight-calls.ts'
import { callQuery } from '../../data/api.ts'
import { useT, useLanguage } from '../../lib/i18n/i18n.ts'
import { useFormatPeriod } from '../../ui/page/format-when.ts'
import { BeingComputed } from '../../domain/energy/being-computed.tsx'
import { useMeters } from '../../domain/energy/use-meters.ts'
import { useNamedMeters, useVirtualMeterNames } from '../../domain/energy/use-names.ts'
import { PeriodPicker } from '../../ui/inputs/period-picker/period-picker.tsx'
import { usePeriod } from '../../ui/inputs/period-picker/use-period.ts'
import { ListSkeleton, LoadFailed, EmptyState } from '../../ui/page/states.tsx'
import { useNow } from '../../ui/page/use-now.ts'
import page from '../../ui/page/page.module.css'
import { useInsightAddress } from './address.ts'
import { ClassShapes, Curve } from './curve.tsx'
import styles from './insight.module.css'
import { holdsLabel } from '../../lib/match-words.ts'
import { formatWeekday } from '../../../contract/time/format-time.ts'

/** Order of the cells: 0 is Monday. */
const DAYS = [0, 1, 2, 3, 4, 5, 6] as const
const HOURS = Array.from({ length: 24 }, (_, hour) => hour)
/** Percent of the accent color at the highest mean. */
const MAX_COLOR_PERCENT = 90

const SCALE = `linear-gradient(to right, transparent, color-mix(in srgb, var(--accent) ${MAX_COLOR_PERCENT}%, transparent))`

/** Tiles of the mean power of each hour of the week: stronger colors mean more, the figures are in tooltips. */
function WeekTable({ cells }: { cells: LoadProfile['Week'] }) {
  const t = useT()
  const language = useLanguage()
  const highest = Math.max(0, ...cells.map(({ MeanKw }) => MeanKw ?? 0))
  return (
    <div className={page.scroll}>
      <table className={`${page.table} ${page.figures} ${styles.week}`}>
        <caption className={page.note}>{t('insight:profile.weekCaption')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('insight:profile.hour')}</th>
            {DAYS.map((day) => (
              <th key={day} scope="col">
                {formatWeekday((day + 1) % 7, language)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {HOURS.map((hour) => (
            <tr key={hour}>
              <th scope="row">{String(hour).padStart(2, '0')}:00</th>
              {DAYS.map((day) => {
                const { MeanKw = null, Hours = 0 } = cells[day * 24 + hour] ?? {}
                const part = MeanKw === null || highest <= 0 ? 0 : Math.max(0, MeanKw / highest)
                return (
                  <td
                    key={day}
                    title={powerText(MeanKw)}
                    style={{
                      background: `color-mix(in srgb, var(--accent) ${Math.round(part * MAX_COLOR_PERCENT)}%, transparent)`,
                    }}
                  >
                    {MeanKw === null && NO_VALUE}
                    <span className="visually-hidden">
                      {MeanKw !== null && powerText(MeanKw)} {t('insight:profile.behind', { hours: Hours })}
                    </span>
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
      <p className={`${page.hint} ${page.figures} ${page.tightRow} ${styles.scale}`}>
        0 <span aria-hidden="true" style={{ background: SCALE }} /> {powerText(highest)}
      </p>
    </div>
  )
}

/** Rows of the table: every tenth of the time, and the busiest hundredths. */
const isAnnounced = (percent: number) => percent % 10 === 0 || percent === 1 || percent === 5

/** Load duration curve, the highest power first, with a table. */
function Duration({ points }: { points: LoadProfile['Duration'] }) {
  const t = useT()
  const label = t('insight:profile.durationCaption')
  return (
    <div className={page.stack}>
      <p className={page.note}>{label}</p>
      <Curve label={label} line={points.map(({ Kw }) => Kw)} top={Math.max(0, points[0]?.Kw ?? 0)} />
      <p className={`${page.hint} ${page.spread}`} aria-hidden="true">
        <span>0%</span>
        <span>50%</span>
        <span>100%</span>
      </p>
      <table className={`${page.table} ${page.figures} ${page.amounts}`}>
        <thead>
          <tr>
            <th scope="col">{t('insight:profile.timeShare')}</th>
            <th scope="col">kW</th>
          </tr>
        </thead>
        <tbody>
          {points
            .filter(({ Share }) => isAnnounced(Math.round(Share * 100)))
            .map(({ Share, Kw }) => (
              <tr key={Share}>
                <th scope="row">{Math.round(Share * 100)}%</th>
                <td>{formatFigure(Kw)}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  )
}

export function ProfileCard({ homeId, zone }: { homeId: string; zone: string }) {
  const t = useT()
  const now = useNow()
  const { value, onChange, period } = usePeriod(zone, now, 'last30')
  const { shape, meters, change } = useInsightAddress()
  const named = useNamedMeters(homeId, useMeters(homeId).data ?? [])
  const virtual = useVirtualMeterNames(homeId)
  const query = useQuery({
    ...callQuery(insight.getLoadProfile, {
      HomeID: homeId,
      From: period.from,
      To: period.to,
      Shape: shape,
      ...(meters.length > 0 && { PeripheralUIDs: [...meters] }),
    }),
    placeholderData: keepPreviousData,
  })
  const { data } = query
  return (
    <Card title={t('insight:profile.title')}>
      <div className={page.stack}>
        <div className={page.wideRow}>
          <PeriodPicker value={value} onChange={onChange} zone={zone} />
          <Segmented
            aria-label={t('insight:profile.shape')}
            value={shape}
            onChange={(next) => change('shape', next)}
            options={SHAPES.map((shapeOption) => ({
              value: shapeOption,
              label: t(`insight:profile.shapes.${shapeOption}`),
            }))}
          />
          <Select<string[]>
            mode="multiple"
            aria-label={t('energy:meters')}
            className={styles.meters ?? ''}
            placeholder={t('energy:allMeters')}
            value={[...meters]}
            maxCount={MAX_PROFILE_METERS}
            maxTagCount="responsive"
            allowClear
            filterOption={holdsLabel}
            onChange={(next) => change('meters', next.join(','))}
            options={[...named.values(), ...(virtual?.values() ?? [])].map(({ PeripheralUID, name }) => ({
              value: PeripheralUID,
              label: name,
            }))}
          />
        </div>
        {query.error && !data ? (
          <LoadFailed error={query.error} retry={() => void query.refetch()} />
        ) : data ? (
          <div
            className={query.isPlaceholderData ? page.stale : undefined}
            aria-busy={query.isPlaceholderData}
          >
            <BeingComputed percent={data.ComputedPercent} isSum={false} />
            <Profile profile={data} shape={shape} />
          </div>
        ) : (
          <ListSkeleton rows={10} />
        )}
      </div>
    </Card>
  )
}

function Profile({ profile, shape }: { profile: LoadProfile; shape: (typeof SHAPES)[number] }) {
  const t = useT()
  const daysText = useFormatPeriod()
  const { Summary } = profile
  if (Summary.Hours === 0) return <EmptyState message={t('insight:profile.notOver')} />
  if (Summary.KnownHours === 0)
    return (
      <EmptyState message={t('insight:profile.unknown', { days: daysText(profile.From, profile.Through) })} />
    )
  return (
    <div className={page.stack}>
      <Figures profile={profile} />
      {shape === 'week' ? (
        <WeekTable cells={profile.Week} />
      ) : shape === 'class' ? (
        <ClassShapes classes={profile.Classes} />
      ) : (
        <Duration points={profile.Duration} />
      )}
    </div>
  )
}

function Figures({ profile: { Summary, From, Through } }: { profile: LoadProfile }) {
  const t = useT()
  const daysText = useFormatPeriod()
  const knownShare = Summary.KnownHours / Summary.Hours
  return (
    <div className={page.column}>
      <dl className={`${page.tiles} ${page.measures}`}>
        {(
          [
            ['mean', powerText(Summary.MeanKw)],
            ['peak', powerText(Summary.PeakKw)],
            ['loadFactor', formatShare(Summary.LoadFactor)],
            ['base', powerText(Summary.BaseKw)],
            ['baseShare', formatShare(Summary.BaseShare)],
          ] as const
        ).map(([name, text]) => (
          <div key={name}>
            <dt>{t(`insight:profile.${name}`)}</dt>
            <dd>
              <strong className={page.figures}>{text}</strong>
            </dd>
          </div>
        ))}
      </dl>
      <p className={knownShare < 0.9 ? page.warning : page.hint}>
        {t('insight:profile.known', {
          days: daysText(From, Through),
          share: formatComplete(knownShare),
        })}
      </p>
      <p className={page.hint}>{t('insight:profile.why')}</p>
    </div>
  )
}
