import { Button, Card, Checkbox } from 'antd'
import { useReadingFormat } from '../../domain/energy/use-figures.ts'
import { useState } from 'react'
import { Link } from 'react-router'
import type { QuarantinedReading } from '../../../contract/meters/correction-calls.ts'
import { dayOf, formatDay } from '../../../contract/time/periods.ts'
import { formatWhen } from '../../../contract/time/format-time.ts'
import { formatPower } from '../../../contract/kernel/numbers.ts'
import { pathTo } from '../../navigation/paths.ts'
import { describeRight } from '../../data/failure.ts'
import { useLanguage, useT } from '../../lib/i18n/i18n.ts'
import { useMay } from '../../data/session.ts'
import { confirm } from '../../ui/page/dialogs.ts'
import { ListSkeleton, LoadFailed, EmptyState } from '../../ui/page/states.tsx'
import { Figure } from '../../ui/tags/power-value.tsx'
import { ResultsDialog } from '../../record-kit/bulk/results-dialog.tsx'
import { decisionInput, type Decision, type QuarantinedItem } from './quarantine-decision.ts'
import { LimitChoice, limitFor } from './limit-choice.tsx'
import page from '../../ui/page/page.module.css'
import styles from './common/meters.module.css'
import type { Place } from './common/place.ts'
import { Proposals } from './proposals.tsx'
import { adjacentReadings } from './replacement/use-replacement.ts'
import type { MetersAddress } from './common/use-address.ts'
import { useReadings, useQuarantined } from './common/use-meters.ts'
import { toWallTimeInput } from '../../lib/wall-input.ts'

/** Maximum number of rows shown at once. */
const PAGE_SIZE = 100
const HOUR = 3_600_000

/** Reasons that an unregistered meter replacement typically causes: the counter continues at another value. */
const REPLACEMENT_REASONS: ReadonlySet<QuarantinedReading['Reason']> = new Set(['jump', 'glitch'])

const idOf = ({ PeripheralUID, Timestamp, Value }: QuarantinedReading) =>
  `${PeripheralUID}/${Timestamp}/${Value}`

/** Quarantined readings with their reasons and neighboring readings; the user accepts or discards them. */
export function Quarantined({ place, address }: { place: Place; address: MetersAddress }) {
  const t = useT()
  const mayDecide = useMay('electricity', 'Update')
  const query = useQuarantined(place.homeId)
  const [ticked, tick] = useState<ReadonlySet<string>>(new Set())
  const [visibleCount, setVisibleCount] = useState(PAGE_SIZE)
  const [run, start] = useState<{
    decision: Decision
    items: readonly QuarantinedItem[]
    limitKw: number | undefined
  }>()
  const nameOf = (reading: Pick<QuarantinedReading, 'PeripheralUID' | 'PeripheralName'>) =>
    place.meters.get(reading.PeripheralUID)?.name ?? reading.PeripheralName ?? reading.PeripheralUID
  const language = useLanguage()
  const formatTime = (at: number) => formatWhen(at, language, place.zone, 'second')
  const pages = query.data?.pages ?? []
  const rows = pages.flatMap(({ Rows }) => Rows)
  const total = pages.at(-1)?.Total ?? 0
  const selectedReadings = rows.filter((row) => ticked.has(idOf(row)))
  const decide = (decision: Decision, readings: readonly QuarantinedReading[]) => {
    const suggested = decision === 'accepted' ? limitFor(readings) : undefined
    let limitKw = suggested
    confirm({
      title: t(decision === 'accepted' ? 'meters:quarantined.acceptTitle' : 'meters:quarantined.dropTitle', {
        count: readings.length,
      }),
      content:
        suggested === undefined ? (
          t(decision === 'accepted' ? 'meters:quarantined.acceptText' : 'meters:quarantined.dropText')
        ) : (
          <LimitChoice suggested={suggested} choose={(kw) => (limitKw = kw)} />
        ),
      okText: t(decision === 'accepted' ? 'meters:quarantined.accept' : 'meters:quarantined.drop'),
      okButtonProps: { danger: decision === 'dropped' },
      cancelText: t('screens:cancel'),
      onOk: () =>
        start({
          decision,
          items: readings.map((reading) => ({
            id: idOf(reading),
            name: `${nameOf(reading)} ${formatTime(reading.Timestamp)}`,
            reading,
          })),
          limitKw,
        }),
    })
  }
  const buttons = (readings: readonly QuarantinedReading[], of?: string) => (
    <div className={page.buttons}>
      {(['accepted', 'dropped'] as const).map((decision) => {
        const text = t(decision === 'accepted' ? 'meters:quarantined.accept' : 'meters:quarantined.drop')
        return (
          <Button
            key={decision}
            danger={decision === 'dropped'}
            disabled={readings.length === 0}
            aria-label={
              of === undefined ? undefined : t('meters:quarantined.doWith', { what: text, name: of })
            }
            onClick={() => decide(decision, readings)}
          >
            {text}
          </Button>
        )
      })}
    </div>
  )
  return (
    <Card title={t('meters:quarantined.title')}>
      <p className={page.hint}>{t('meters:quarantined.why')}</p>
      {!mayDecide && (
        <p className={page.hint}>{describeRight({ feature: 'electricity', operation: 'Update' })}</p>
      )}
      {query.data ? (
        rows.length === 0 ? (
          <EmptyState drawing="clear" message={t('meters:quarantined.none')} />
        ) : (
          <>
            <Proposals
              place={place}
              proposals={pages[0]?.Proposals ?? []}
              nameOf={nameOf}
              mayDecide={mayDecide}
            />
            {mayDecide && (
              <div className={`${page.spread} ${page.below8}`}>
                <Checkbox
                  checked={selectedReadings.length === rows.length}
                  indeterminate={selectedReadings.length > 0 && selectedReadings.length < rows.length}
                  onChange={({ target }) => tick(new Set(target.checked ? rows.map(idOf) : []))}
                >
                  {t('meters:quarantined.chosen', { count: selectedReadings.length, of: rows.length })}
                </Checkbox>
                {buttons(selectedReadings)}
              </div>
            )}
            {total > rows.length && (
              <p className={page.hint}>{t('meters:quarantined.newest', { count: rows.length, total })}</p>
            )}
            <ul className={page.rows} aria-label={t('meters:quarantined.title')}>
              {rows.slice(0, visibleCount).map((row) => {
                const name = `${nameOf(row)} ${formatTime(row.Timestamp)}`
                return (
                  <li key={idOf(row)} className={page.row}>
                    {mayDecide && (
                      <Checkbox
                        aria-label={t('meters:quarantined.choose', { name })}
                        checked={ticked.has(idOf(row))}
                        onChange={({ target }) =>
                          tick((previous) => {
                            const next = new Set(previous)
                            if (target.checked) next.add(idOf(row))
                            else next.delete(idOf(row))
                            return next
                          })
                        }
                      />
                    )}
                    <Reading place={place} row={row} name={nameOf(row)} />
                    {mayDecide && (
                      <div className={page.buttons}>
                        {REPLACEMENT_REASONS.has(row.Reason) && place.meters.has(row.PeripheralUID) && (
                          <Button
                            aria-label={t('meters:quarantined.doWith', {
                              what: t('meters:quarantined.replaced'),
                              name,
                            })}
                            onClick={() =>
                              address.openTab('replace', row.PeripheralUID, {
                                at: toWallTimeInput(row.Timestamp, place.zone),
                              })
                            }
                          >
                            {t('meters:quarantined.replaced')}
                          </Button>
                        )}
                        {buttons([row], name)}
                      </div>
                    )}
                  </li>
                )
              })}
            </ul>
            {(rows.length > visibleCount || query.hasNextPage) && (
              <Button
                loading={query.isFetchingNextPage}
                onClick={() => {
                  if (visibleCount + PAGE_SIZE > rows.length && query.hasNextPage) void query.fetchNextPage()
                  setVisibleCount(visibleCount + PAGE_SIZE)
                }}
              >
                {t('meters:quarantined.more')}
              </Button>
            )}
          </>
        )
      ) : query.error ? (
        <LoadFailed error={query.error} retry={() => void query.refetch()} />
      ) : (
        <ListSkeleton rows={4} />
      )}
      {run && (
        <ResultsDialog
          action={decisionInput(place.homeId, run.decision, run.limitKw)}
          items={run.items}
          close={() => {
            start(undefined)
            tick(new Set())
          }}
        />
      )}
    </Card>
  )
}

function Reading({ place, row, name }: { place: Place; row: QuarantinedReading; name: string }) {
  const t = useT()
  const figures = useReadingFormat()
  const [open, setOpen] = useState(false)
  const mayReadHistory = useMay('history', 'Read')
  const mayOpenDevice = useMay('device', 'Read')
  const { Before, Stored, Value, Timestamp, Reason } = row
  const language = useLanguage()
  const formatTime = (at: number) => formatWhen(at, language, place.zone, 'second')
  const { homeId: HomeID, zone } = place
  const history = new URLSearchParams({
    q: `${row.PeripheralUID}:AccumulatePower`,
    range: formatDay(dayOf(Timestamp, zone)),
  })
  return (
    <div className={page.grow}>
      <div className={page.spread}>
        <strong>
          {mayOpenDevice && place.meters.has(row.PeripheralUID) ? (
            <Link
              className={`${page.touch} ${page.words} ${page.text}`}
              to={pathTo('DeviceInfo', { HomeID, peripheralID: row.PeripheralUID })}
            >
              {name}
            </Link>
          ) : (
            name
          )}
        </strong>
        <span className={page.figures}>{formatTime(Timestamp)}</span>
        <Figure value={figures(Value)} unit="kWh" />
      </div>
      <div>{t(`meters:quarantined.reasons.${Reason}`)}</div>
      <div className={page.hint}>
        {Stored !== null && <div>{t('meters:quarantined.stored', { kwh: figures(Stored) })}</div>}
        <div>
          {Before
            ? t('meters:quarantined.before', { kwh: figures(Before.kWh), at: formatTime(Before.Timestamp) })
            : t('meters:quarantined.first')}
        </div>
        {Before && Value > Before.kWh && Timestamp > Before.Timestamp && (
          <div>
            {t('meters:quarantined.implies', {
              kw: formatPower(((Value - Before.kWh) * HOUR) / (Timestamp - Before.Timestamp)),
            })}
          </div>
        )}
        {mayReadHistory && (
          <Link className={page.touch} to={`${pathTo('historyData', { HomeID })}?${history}`}>
            {t('meters:quarantined.history')}
          </Link>
        )}
        {mayReadHistory &&
          (open ? (
            <After place={place} row={row} />
          ) : (
            <Button type="link" size="small" className={styles.link ?? ''} onClick={() => setOpen(true)}>
              {t('meters:quarantined.showAfter')}
            </Button>
          ))}
      </div>
    </div>
  )
}

function After({ place, row }: { place: Place; row: QuarantinedReading }) {
  const t = useT()
  const figures = useReadingFormat()
  const language = useLanguage()
  const query = useReadings(place.homeId, row.PeripheralUID, row.Timestamp, place.zone)
  if (query.error) return <LoadFailed error={query.error} retry={() => void query.refetch()} />
  if (!query.data) return <div>{t('shell:loading')}</div>
  const { after } = adjacentReadings(query.data, row.Timestamp + 1)
  return (
    <div>
      {after
        ? t('meters:quarantined.after', {
            kwh: figures(after.kwh),
            at: formatWhen(after.timestamp, language, place.zone, 'second'),
          })
        : t('meters:quarantined.noneAfter')}
    </div>
  )
}
