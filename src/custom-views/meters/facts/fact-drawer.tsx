import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import { type MeterFact, meterFacts } from '../../../../contract/meters/fact-calls.ts'
import type { MeterFactName, MeterUse } from '../../../../contract/meters/meter-facts.ts'
import { call, callQuery } from '../../../data/api.ts'
import { useMay } from '../../../data/session.ts'
import { useAction } from '../../../data/use-action.ts'
import { isVirtual } from '../../../domain/energy/use-names.ts'
import { t as tNow, useT } from '../../../lib/i18n/i18n.ts'
import { confirmRemoval } from '../../../ui/page/confirm-removal.tsx'
import page from '../../../ui/page/page.module.css'
import { ListSkeleton, LoadFailed } from '../../../ui/page/states.tsx'
import { usePhone } from '../../../ui/page/use-phone.ts'
import type { Place } from '../place.ts'
import { FactHistory, type FactHistoryRow } from './fact-history.tsx'
import { LimitDialog } from './limit-dialog.tsx'
import { UndoLine } from './undo-line.tsx'
import { UseDialog } from './use-dialog.tsx'
import { useFactWords } from './use-fact-words.ts'
import { useSinceWords } from './use-since-words.ts'
import { Drawer } from '../../../ui/dialog/dialog.tsx'

interface Props {
  place: Place
  id: string
  close: () => void
}

/** Facts of which something always holds: what always held is replaced, not deleted. */
const STARTED: readonly string[] = ['room', 'parent', 'terms']
const OF_METERS = ['role', 'room', 'parent', 'use', 'limit'] as const
const OF_VIRTUAL = ['role', 'room', 'parent', 'terms'] as const

/** What was said of a meter, since when and by whom; the newest may be deleted, and put back. */
export function FactDrawer({ place, id, close }: Props) {
  const t = useT()
  const phone = usePhone()
  const query = useQuery(callQuery(meterFacts.listMeterFact, { HomeID: place.homeId, MeterID: id }))
  return (
    <Drawer
      open
      onClose={close}
      placement={phone ? 'bottom' : 'right'}
      {...(phone ? { height: '88dvh' } : { width: 480 })}
      title={t('meters:facts.title', { name: place.nameOf(id) })}
      closable={{ 'aria-label': t('screens:close') }}
    >
      {query.data ? (
        <Histories place={place} id={id} facts={query.data} />
      ) : query.error ? (
        <LoadFailed error={query.error} retry={() => void query.refetch()} />
      ) : (
        <ListSkeleton rows={6} />
      )}
    </Drawer>
  )
}

type Removed = MeterFact & { Fact: MeterFactName }

function Histories({ place, id, facts }: { place: Place; id: string; facts: readonly MeterFact[] }) {
  const t = useT()
  const mayChange = useMay('electricity', 'Update')
  const mayRemove = useMay('electricity', 'Delete')
  const words = useFactWords(place)
  const since = useSinceWords()
  const [removed, setRemoved] = useState<Removed>()
  const [asked, ask] = useState<'limit' | 'use'>()
  const { busy, run } = useAction(meterFacts.setMeterFact)
  const sentence = (one: MeterFact) => t('meters:facts.said', { what: words(one), since: since(one.From) })
  const remove = (one: Removed) =>
    confirmRemoval({
      name: sentence(one),
      consequence: t('meters:facts.removeText'),
      remove: async () => {
        const { MeterID, Fact, From } = one
        await call(meterFacts.deleteMeterFact, { HomeID: place.homeId, MeterID, Fact, From })
        setRemoved(one)
      },
    })
  const putBack = async ({ MeterID, Fact, Value, From }: Removed) => {
    const said = { HomeID: place.homeId, MeterID, Fact, Value, From }
    if (await run(said, () => tNow('meters:facts.undone'))) setRemoved(undefined)
  }
  const rowOf = (one: MeterFact, only: boolean): FactHistoryRow => {
    const { Fact, From } = one
    const isSaid = Fact !== 'rated' && Fact !== 'learnt'
    const isRemovable = mayRemove && isSaid && (From !== null || (only && !STARTED.includes(Fact)))
    return { ...one, text: words(one), ...(isRemovable && { remove: () => remove({ ...one, Fact }) }) }
  }
  return (
    <div className={page.stack}>
      <p className={page.hint}>{t('meters:facts.why')}</p>
      {removed && <UndoLine what={sentence(removed)} busy={busy} undo={() => void putBack(removed)} />}
      {(isVirtual(id) ? OF_VIRTUAL : OF_METERS).map((name) => {
        const of = facts.filter(
          ({ Fact }) => Fact === name || (name === 'limit' && (Fact === 'rated' || Fact === 'learnt')),
        )
        const rows = of.toSorted((a, b) => (a.From ?? '').localeCompare(b.From ?? ''))
        return (
          <FactHistory
            key={name}
            title={t(`meters:facts.names.${name}`)}
            none={t(
              isVirtual(id) && name === 'role' ? 'meters:facts.none.total' : `meters:facts.none.${name}`,
            )}
            rows={rows.map((one) => rowOf(one, of.length === 1))}
            extra={
              (name === 'limit' || name === 'use') &&
              mayChange && (
                <Button onClick={() => ask(name)}>
                  {t(name === 'limit' ? 'meters:facts.setLimit' : 'meters:facts.setUse')}
                </Button>
              )
            }
          />
        )
      })}
      {asked === 'limit' && (
        <LimitDialog
          place={place}
          id={id}
          limit={(facts.findLast(({ Fact }) => Fact === 'limit')?.Value ?? null) as number | null}
          close={() => ask(undefined)}
        />
      )}
      {asked === 'use' && (
        <UseDialog
          place={place}
          id={id}
          use={facts.findLast(({ Fact }) => Fact === 'use')?.Value as MeterUse | undefined}
          close={() => ask(undefined)}
        />
      )}
    </div>
  )
}
