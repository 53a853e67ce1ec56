import { Button, Card, Tag } from 'antd'
import { meterCorrections, type MeterCorrection } from '../../../contract/meters/correction-calls.ts'
import { formatWhen } from '../../lib/format-when.ts'
import { useAction } from '../../data/use-action.ts'
import { t as tNow, useLanguage, useT } from '../../lib/i18n/i18n.ts'
import { useMay } from '../../data/session.ts'
import { confirm } from '../../ui/page/dialogs.ts'
import { ListSkeleton, LoadFailed, EmptyState } from '../../ui/page/states.tsx'
import { useEnergyFormat } from '../../domain/energy/use-figures.ts'
import page from '../../ui/page/page.module.css'
import styles from './common/meters.module.css'
import type { Place } from './common/place.ts'
import { useCorrections } from './common/use-meters.ts'

/** Corrections of a home's meters, newest first, with author, time and reason; an undone correction stays listed. */
export function Journal({ place, kind }: { place: Place; kind: MeterCorrection['Kind'] }) {
  const t = useT()
  const mayChange = useMay('electricity', 'Update')
  const figures = useEnergyFormat()
  const query = useCorrections(place.homeId)
  const { busy, run } = useAction(meterCorrections.undoMeterCorrection)
  const language = useLanguage()
  const when = (at: number) => formatWhen(at, language, place.zone)
  const nameOf = (one: MeterCorrection) =>
    place.meters.get(one.PeripheralUID)?.name ?? one.PeripheralName ?? one.PeripheralUID
  const sentence = (one: MeterCorrection) =>
    one.Kind === 'interval'
      ? t('meters:journal.interval', { from: when(one.From), to: when(one.To), kwh: figures(one.kWh) })
      : t('meters:journal.replacement', {
          at: when(one.From),
          old: figures(one.OldKwh),
          new: figures(one.NewKwh),
        })
  const undo = (one: MeterCorrection) =>
    confirm({
      title: t('meters:journal.undoTitle', { name: nameOf(one) }),
      content: t('meters:journal.undoText'),
      okText: t('meters:journal.undo'),
      okButtonProps: { danger: true },
      cancelText: t('screens:cancel'),
      onOk: () =>
        run({ HomeID: one.HomeID, CorrectionID: one.CorrectionID }, () => tNow('meters:journal.undoDone')),
    })
  const title = t(`meters:journal.titles.${kind}`)
  const shown = query.data?.pages.flat().filter(({ Kind }) => Kind === kind)
  return (
    <Card title={title}>
      {shown ? (
        shown.length === 0 ? (
          // Older matches may be on pages that are not loaded yet.
          !query.hasNextPage && <EmptyState why={t('meters:journal.none')} />
        ) : (
          <ul className={styles.list} aria-label={title}>
            {shown.map((one) => (
              <li key={one.CorrectionID} className={page.spread}>
                <div className={one.UndoneAt === null ? undefined : styles.undone}>
                  <strong>{nameOf(one)}</strong>{' '}
                  {one.UndoneAt !== null && (
                    <Tag>
                      {t('meters:journal.undone', { by: one.UndoneBy ?? '', at: when(one.UndoneAt) })}
                    </Tag>
                  )}
                  <div className={`${page.figures} ${styles.figures}`}>{sentence(one)}</div>
                  {one.Note && <div>{one.Note}</div>}
                  <div className={page.hint}>
                    {t('meters:journal.by', { by: one.AuthorName, at: when(one.CreatedAt) })}
                  </div>
                </div>
                {mayChange && one.UndoneAt === null && (
                  <Button disabled={busy} onClick={() => undo(one)}>
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
