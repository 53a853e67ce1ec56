import { Button, Card, Tag } from 'antd'
import { useReadingFormat } from '../../domain/energy/use-figures.ts'
import { meterCorrections, type MeterCorrection } from '../../../contract/meters/correction-calls.ts'
import { formatWhen } from '../../../contract/time/format-time.ts'
import { useAction } from '../../data/use-action.ts'
import { t as tNow, useLanguage, useT } from '../../lib/i18n/i18n.ts'
import { useMay } from '../../data/session.ts'
import { confirm } from '../../ui/page/dialogs.ts'
import { ListSkeleton, LoadFailed, EmptyState } from '../../ui/page/states.tsx'
import page from '../../ui/page/page.module.css'
import styles from './common/meters.module.css'
import type { Place } from './common/place.ts'
import { useCorrections } from './common/use-meters.ts'

/** Corrections of a home's meters, newest first, with author, time and reason; an undone correction stays listed. */
export function Journal({ place, kind }: { place: Place; kind: MeterCorrection['Kind'] }) {
  const t = useT()
  const mayChange = useMay('electricity', 'Update')
  const figures = useReadingFormat()
  const query = useCorrections(place.homeId)
  const { busy, run } = useAction(meterCorrections.undoMeterCorrection)
  const language = useLanguage()
  const formatTime = (at: number) => formatWhen(at, language, place.zone)
  const nameOf = (correction: MeterCorrection) =>
    place.meters.get(correction.PeripheralUID)?.name ?? correction.PeripheralName ?? correction.PeripheralUID
  const sentence = (correction: MeterCorrection) =>
    correction.Kind === 'interval'
      ? t('meters:journal.interval', {
          from: formatTime(correction.From),
          to: formatTime(correction.To),
          kwh: figures(correction.kWh),
        })
      : t('meters:journal.replacement', {
          at: formatTime(correction.From),
          old: figures(correction.OldKwh),
          new: figures(correction.NewKwh),
        })
  const undo = (correction: MeterCorrection) =>
    confirm({
      title: t('meters:journal.undoTitle', { name: nameOf(correction) }),
      content: t('meters:journal.undoText'),
      okText: t('meters:journal.undo'),
      okButtonProps: { danger: true },
      cancelText: t('screens:cancel'),
      onOk: () =>
        run({ HomeID: correction.HomeID, CorrectionID: correction.CorrectionID }, () =>
          tNow('meters:journal.undoDone'),
        ),
    })
  const title = t(`meters:journal.titles.${kind}`)
  const corrections = query.data?.pages.flat().filter(({ Kind }) => Kind === kind)
  return (
    <Card title={title}>
      {corrections ? (
        corrections.length === 0 ? (
          // Older matches may be on pages that are not loaded yet.
          !query.hasNextPage && <EmptyState message={t('meters:journal.none')} />
        ) : (
          <ul className={page.rows} aria-label={title}>
            {corrections.map((correction) => (
              <li key={correction.CorrectionID} className={page.spread}>
                <div>
                  <strong>{nameOf(correction)}</strong>{' '}
                  {correction.UndoneAt !== null && (
                    <Tag>
                      {t('meters:journal.undone', {
                        by: correction.UndoneBy ?? '',
                        at: formatTime(correction.UndoneAt),
                      })}
                    </Tag>
                  )}
                  <div className={`${page.figures} ${correction.UndoneAt === null ? '' : styles.undone}`}>
                    {sentence(correction)}
                  </div>
                  {correction.Note && <div>{correction.Note}</div>}
                  <div className={page.hint}>
                    {t('meters:journal.by', {
                      by: correction.AuthorName,
                      at: formatTime(correction.CreatedAt),
                    })}
                  </div>
                </div>
                {mayChange && correction.UndoneAt === null && (
                  <Button disabled={busy} onClick={() => undo(correction)}>
                    {t('meters:journal.undo')}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )
      ) : query.error ? (
        <LoadFailed error={query.error} retry={() => void query.refetch()} />
      ) : (
        <ListSkeleton rows={3} />
      )}
      {query.hasNextPage && (
        <Button loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {t('meters:journal.older')}
        </Button>
      )}
    </Card>
  )
}
